// Records that contract.test.ts and contract-store.test.ts share: five plans of three municipalities. In canonical
// order (newest first, then by code) they are SG-1, AV-2, AV-3, AV-1, SG-2.
import type { TestRecord } from '../service.ts'

export const plans: readonly TestRecord[] = [
  {
    code: 'AV-1',
    title: 'Plan Parcial El Soto',
    checkinDate: '2004-05-17',
    municipality: 'Ávila',
    content: 'ordenanzas de edificación',
  },
  {
    code: 'AV-2',
    title: 'Estudio de Detalle UE-1',
    checkinDate: '2010-01-02',
    municipality: 'Ávila',
    content: 'un plan parcial anterior',
  },
  { code: 'AV-3', title: 'Plan Especial del Casco', checkinDate: '2010-01-02', municipality: 'Arévalo' },
  { code: 'SG-1', title: 'Modificación del Plan Parcial', checkinDate: '2019-11-30', municipality: 'Segovia' },
  {
    code: 'SG-2',
    title: 'Normas Subsidiarias',
    checkinDate: '2004-01-01',
    municipality: 'Segovia',
    content: 'parcial',
  },
]
