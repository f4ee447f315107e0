// Tests of the pages of a record and of a municipality.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { findMarks, type TextMarks } from '../../src/registry/marks.ts'
import { findPlanNames } from '../../web/plan-names.ts'
import { startPageFixture, typeWords, usePageFixture, waitForHeading } from './page-fixture.ts'

const registry = usePageFixture()

suite('the page of a record', () => {
  test('it shows the fields, the documents with their host and the API request', async () => {
    const session = await registry.read('expediente/03014-9001')
    const text = (await session.page.locator('.fields').textContent()) ?? ''
    for (const part of [
      '03014-9001',
      'Alacant/Alicante',
      'Comunitat Valenciana',
      'Sector ZN-1',
      '15 de marzo de 2004',
    ]) {
      assert.ok(text.includes(part), `${part} in ${text}`)
    }
    // The fixture marks its registry as fictional, so its hosts do not exist.
    assert.equal(await session.page.locator('.document-list code').count(), 2)
    const request = (await session.page.locator('#request .line code').first().textContent()) ?? ''
    const { resultadoBusqueda } = await (await fetch(request.replace('GET ', ''))).json()
    assert.equal(resultadoBusqueda[0].id, 'N-1')
  })

  test('the link back to a search by INE code names the municipality', async () => {
    const session = await registry.read('expediente/03014-9001?municipality=03014')
    const link = session.page.locator('.trail a').first()
    assert.equal(await link.textContent(), 'Expedientes en Alacant/Alicante')
    await link.click()
    // The link writes the name as the record does, the heading as most records of the municipality do.
    await session.page.locator('#results-heading', { hasText: /^\d+ expedientes en Alicante\/Alacant$/ }).waitFor()
  })

  test('the link back to a search names the municipality as the record does, in running text', async () => {
    const session = await registry.read('expediente/15030-9005?municipality=coruna')
    assert.equal(await session.page.locator('.trail a').first().textContent(), 'Expedientes en A Coruña')
  })

  test('the province of a municipality with the same name is told apart in the breadcrumb', async () => {
    for (const path of ['expediente/05019-9002', 'municipio/05019']) {
      const session = await registry.read(path)
      assert.equal(await session.page.locator('.trail a').nth(1).textContent(), 'Provincia de Ávila', path)
    }
    // A province with another name than the municipality stands without the word `Provincia`.
    await using valencian = await startPageFixture({ records: [{ code: '46131-1', municipality: 'Gandia' }] })
    const session = await valencian.read('expediente/46131-1')
    assert.deepEqual((await session.page.locator('.trail a').allTextContents()).slice(1), [
      'Valencia/València',
      'Gandia',
    ])
  })

  test('the passages with the most words of the search come first, others in reading order', async () => {
    const texts = ['Artículo 1, objeto.', 'Artículo 39, usos.', 'Artículo 40, alturas.', 'Artículos finales: 41.']
    const href = 'https://documents.example/normas.pdf'
    await using plans = await startPageFixture({
      fictional: false,
      records: [
        {
          code: '05019-1',
          links: href,
          documents: [
            {
              href,
              sha256: null,
              pages: texts.length,
              read: texts.length,
              recognised: 0,
              unread: 0,
              reason: null,
              texts: texts.map((text, index) => ({ page: index + 1, text, recognised: false })),
            },
          ],
        },
      ],
    })
    for (const [search, pages] of [
      // Page 3 has both words, the others have only `artículo`.
      ['artículo alturas', [3, 1, 2, 4]],
      ['artículo 40', [3]],
    ] as const) {
      const session = await plans.read(`expediente/05019-1?search=${search}`)
      assert.deepEqual(
        await session.page.locator('.passages .page-link').allTextContents(),
        pages.map((page) => `página ${page} de 4`),
      )
    }
    // The service itself returns them in reading order.
    const { resultadoBusqueda } = await (
      await fetch(`${plans.service.base}/record/05019-1?search=art%C3%ADculo+alturas&include=passages`)
    ).json()
    assert.deepEqual(
      resultadoBusqueda[0].passages.map(({ page }: { page: number }) => page),
      [1, 2, 3, 4],
    )
  })

  test('the page says that only 100 passages are shown', async () => {
    const toText = (page: number) => ({ page, text: `Artículo ${page}, usos.`, recognised: false })
    const toRecord = (code: string, pages: number) => ({
      code,
      documents: [
        {
          href: null,
          sha256: null,
          pages,
          read: pages,
          recognised: 0,
          unread: 0,
          reason: null,
          texts: Array.from({ length: pages }, (_, index) => toText(index + 1)),
        },
      ],
    })
    await using plans = await startPageFixture({ records: [toRecord('05019-1', 101), toRecord('05019-2', 99)] })
    for (const [path, note] of [
      ['expediente/05019-1?search=usos', 'Se muestran como máximo 100 fragmentos.'],
      ['expediente/05019-1?search=usos&lang=en', 'At most 100 passages are shown.'],
    ] as const) {
      const session = await plans.read(path)
      assert.equal(await session.page.locator('.passage').count(), 100)
      await session.page.getByText(note).waitFor()
    }
    const session = await plans.read('expediente/05019-2?search=usos')
    assert.equal(await session.page.locator('.passage').count(), 99)
    assert.equal(await session.page.getByText('como máximo').count(), 0)
  })

  test('a passage names its document as the list of documents does', async () => {
    const toDocument = (name: string) => ({
      href: `https://documents.example/${name}.pdf`,
      sha256: null,
      pages: 1,
      read: 1,
      recognised: 0,
      unread: 0,
      reason: null,
      texts: [{ page: 1, text: `El mirador de ${name}.`, recognised: false }],
    })
    await using plans = await startPageFixture({
      fictional: false,
      records: [
        {
          code: '05019-1',
          title: 'Plan Especial',
          links: 'https://documents.example/memoria.pdf',
          agreementLink: 'https://documents.example/acuerdo.pdf',
          documents: [toDocument('planos'), toDocument('memoria'), toDocument('acuerdo')],
        },
      ],
    })
    const session = await plans.read('expediente/05019-1?search=mirador')
    // Neither link of the record leads to `planos`, so that document has a number instead of a name.
    assert.deepEqual(await session.page.locator('.passages .page-link').allTextContents(), [
      'Documento 1, página 1 de 1',
      'Documento técnico, página 1 de 1',
      'Acuerdo, página 1 de 1',
    ])
    const listed = await session.page.locator('.document-list .document').allTextContents()
    assert.deepEqual(listed.toSorted(), ['Acuerdo', 'Documento 1', 'Documento técnico'])
  })

  test('a document that this service hands out is listed with its host, and printed without a relative address', async () => {
    const href = `documento/${'a'.repeat(64)}`
    const counts = { pages: 1, read: 1, recognised: 0, unread: 0 }
    const document = { ...counts, href, sha256: 'a'.repeat(64), reason: null, texts: [] }
    await using published = await startPageFixture({
      fictional: false,
      records: [{ code: '05019-1', links: '', documents: [document] }],
    })
    await using session = await published.open('expediente/05019-1')
    const link = session.page.locator('.document-list a')
    assert.equal(await link.getAttribute('href'), href)
    await session.page.getByText('en 127.0.0.1').waitFor()
    await session.page.emulateMedia({ media: 'print' })
    assert.equal(await link.evaluate((shown) => getComputedStyle(shown, '::after').content), 'none')
  })

  test('it says that the record does not contain the words of the search, and what was not searched', async () => {
    const documentFields = { href: null, sha256: null, recognised: 0, texts: [] }
    await using partial = await startPageFixture({
      records: [
        {
          code: '05019-1',
          title: 'Plan Parcial',
          content: 'memoria',
          documents: [
            { ...documentFields, pages: 4, read: 1, unread: 3, reason: 'scanned pages' },
            { ...documentFields, pages: 0, read: 0, unread: 0, reason: 'the file is missing' },
          ],
        },
        { code: '05019-2', title: 'Plan Especial' },
      ],
    })
    const readNotice = async (path: string): Promise<string[]> => {
      const session = await partial.read(path)
      return await session.page.locator('.notice p, p.notice').allTextContents()
    }
    const end = 'en el título, el ámbito ni el texto que se ha podido leer.'
    assert.deepEqual(await readNotice('expediente/05019-1?search=zzz'), [
      `Este expediente no contiene «zzz» ${end}`,
      'Páginas sin leer, en las que no se busca: 3 de 4.',
      'Documentos sin leer, en los que no se busca: 1 de 2.',
    ])
    assert.deepEqual(await readNotice('expediente/05019-2?search=plan+zzz'), [
      `Este expediente no contiene todas las palabras de «plan zzz» ${end}`,
    ])
    assert.deepEqual(await readNotice('expediente/05019-2?search=%22plan+parcial%22&lang=en'), [
      'This record does not contain “plan parcial” in its title, its area or the text that could be read.',
    ])
    assert.deepEqual(await readNotice('expediente/05019-2?search=*'), [
      'Escriba al menos una letra o una cifra: sin ellas, la búsqueda no encuentra nada.',
    ])
    // Found by its title, and by its code.
    for (const found of ['plan', '05019-2']) {
      assert.deepEqual(await readNotice(`expediente/05019-2?search=${found}`), [], found)
    }
  })

  test('the citation is copied as text, with the date of access', async () => {
    await using session = await registry.open('expediente/03014-9001', {
      before: (_page, context) => context.grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    await session.page.getByRole('button', { name: 'Copiar: Cómo citar' }).click()
    await session.page.locator('.cite').getByText('Copiado').first().waitFor()
    const copied = await session.page.evaluate(() => navigator.clipboard.readText())
    assert.ok(
      copied.startsWith('Plan Parcial "Zumacal Norte" (expediente 03014-9001), Alacant/Alicante, con entrada el 15'),
    )
    assert.ok(copied.includes(`${registry.service.base}/expediente/03014-9001`))
    assert.match(copied, /\(consultado el \d+ de \p{L}+ de \d{4}\)$/u)
  })

  test('it lists the records of the municipality that name the same plan, with the reason', async () => {
    await using plans = await startPageFixture({
      records: [
        {
          code: '05019-1',
          title: 'Plan Parcial Sector S-9 "Sanlicín"',
          municipality: 'Ávila',
          checkinDate: '2001-02-03',
        },
        { code: '05019-2', title: 'Modificación del P.P. Sanlicín', municipality: 'Ávila', checkinDate: '2005-02-03' },
        { code: '05019-3', title: 'Urbanización del sector S 9', municipality: 'Ávila', checkinDate: '2004-02-03' },
        // These are not listed: another sector, another municipality, and the name only in the text.
        { code: '05019-4', title: 'Plan Parcial Sector S-10', municipality: 'Ávila', checkinDate: '2006-02-03' },
        { code: '40194-5', title: 'Plan Parcial "Sanlicín"', municipality: 'Segovia', checkinDate: '2007-02-03' },
        {
          code: '05019-6',
          title: 'Plan Especial',
          content: 'en Sanlicín',
          municipality: 'Ávila',
          checkinDate: '2008-02-03',
        },
      ],
    })
    const session = await plans.read('expediente/05019-1')
    // Title, date and reason stand in elements of their own, without spaces between the first two.
    assert.deepEqual(await session.page.locator('.related li').allTextContents(), [
      'Modificación del P.P. Sanlicín3 de febrero de 2005 El título también menciona «Sanlicín»',
      'Urbanización del sector S 93 de febrero de 2004 El título también menciona «S-9»',
    ])
    await session.page.locator('.related a').first().click()
    await session.page.getByRole('heading', { level: 1, name: 'Modificación del P.P. Sanlicín' }).waitFor()
  })

  test('a general plan, or the Normas Subsidiarias, is recognised in every spelling of its name in a title', async () => {
    /** `number` is the last digit of the code and of the year of entry. */
    const toPlan = (number: number, title: string) => ({
      code: `05019-${number}`,
      title,
      municipality: 'Ávila',
      checkinDate: `200${number}-02-03`,
    })
    await using plans = await startPageFixture({
      records: [
        toPlan(1, 'Modificación nº 4 del PGOU'),
        toPlan(2, 'Modificación nº 5 del PGOU'),
        toPlan(3, 'Modificación nº 6 del P. G. O. U.'),
        toPlan(4, 'Revisión del Plan General de Ordenación Urbana'),
        // Not a general plan, although its title has both words.
        toPlan(5, 'Plan Parcial del Sistema General Viario'),
        toPlan(6, 'Modificación nº 1 de las NN.SS.'),
        toPlan(7, 'Revisión de las Normas Subsidiarias'),
        // Names the plan only in its text.
        { ...toPlan(8, 'Estudio de Detalle'), content: 'según el PGOU' },
      ],
    })
    const readRelated = async (code: string): Promise<string[]> => {
      const session = await plans.read(`expediente/${code}`)
      return await session.page.locator('.related li').allTextContents()
    }
    // No space separates the title from the date.
    assert.deepEqual(await readRelated('05019-1'), [
      'Revisión del Plan General de Ordenación Urbana3 de febrero de 2004 El título también menciona «Plan General»',
      'Modificación nº 6 del P. G. O. U.3 de febrero de 2003 El título también menciona «Plan General»',
      'Modificación nº 5 del PGOU3 de febrero de 2002 El título también menciona «Plan General»',
    ])
    const [normas] = await readRelated('05019-6')
    assert.equal(
      normas,
      'Revisión de las Normas Subsidiarias3 de febrero de 2007 El título también menciona «Normas Subsidiarias»',
    )
  })

  test('a record of the same sector is listed even if more than ten newer records name the general plan', async () => {
    const newerOfGeneralPlan = Array.from({ length: 12 }, (_, index) => ({
      code: `05019-${index + 10}`,
      title: `Modificación nº ${index + 10} del PGOU`,
      municipality: 'Ávila',
      checkinDate: '2010-02-03',
    }))
    await using plans = await startPageFixture({
      records: [
        {
          code: '05019-1',
          title: 'Modificación del PGOU, sector S-9',
          municipality: 'Ávila',
          checkinDate: '2005-02-03',
        },
        { code: '05019-2', title: 'Plan Parcial sector S-9', municipality: 'Ávila', checkinDate: '2001-02-03' },
        ...newerOfGeneralPlan,
      ],
    })
    const session = await plans.read('expediente/05019-1')
    const related = await session.page.locator('.related li').allTextContents()
    // The page lists ten at most.
    assert.equal(related.length, 10)
    // The newest is first, so the record of 2001 is last. Its title ends in `S-9`; the date follows without a space.
    assert.equal(related.at(-1), 'Plan Parcial sector S-93 de febrero de 2001 El título también menciona «S-9»')
    // Both records of the sector are shown, so only the general plan has a link to all of its records.
    const links = session.page.locator('.related-search a')
    assert.deepEqual(await links.allTextContents(), ['Ver todos los expedientes con «Plan General» en Ávila'])
    await links.click()
    // The twelve newer records and 05019-1 itself.
    await waitForHeading(session.page, '13 expedientes con «Plan General» en Ávila')
    const english = await plans.read('expediente/05019-1?lang=en')
    await english.page.getByRole('link', { name: 'See all records with “Plan General” in Ávila' }).waitFor()
  })

  test('it says why a document or a part of it could not be read, in the language of the page', async () => {
    // Without an address (`href`), so the page lists it only because it was imported.
    const unlinkedDocument = { href: null, sha256: null, read: 0, recognised: 0, texts: [] }
    await using unreadable = await startPageFixture({
      records: [
        {
          code: '05019-1',
          documents: [
            { ...unlinkedDocument, pages: 0, unread: 0, reason: 'the file is missing' },
            {
              ...unlinkedDocument,
              pages: 4,
              read: 2,
              unread: 2,
              reason: 'pages 2 to 3 are damaged; 1 attached file was not read',
            },
            { ...unlinkedDocument, pages: 1, read: 1, unread: 0, reason: '2 attached files were not read' },
          ],
        },
      ],
    })
    const readReasons = async (path: string): Promise<string[]> => {
      const session = await unreadable.read(path)
      const facts = await session.page.locator('.document-list p.hint').allTextContents()
      return facts.map((text) => text.trim())
    }
    assert.deepEqual(await readReasons('expediente/05019-1'), [
      'No se ha podido leer: falta el archivo.',
      'Páginas: 4; con texto: 2; con texto reconocido: 0; sin leer: 2. ' +
        'Motivo: páginas 2 a 3: contenido dañado; no se ha leído 1 archivo adjunto.',
      'Páginas: 1; con texto: 1; con texto reconocido: 0; sin leer: 0. Nota: no se han leído 2 archivos adjuntos.',
    ])
    const [first] = await readReasons('expediente/05019-1?lang=en')
    assert.equal(first, 'Could not be read: the file is missing.')
  })

  test('names of plans are quoted names, codes, general plans and Normas Subsidiarias, but not amendment numbers', () => {
    const mark = (text: string, term: string): TextMarks => findMarks(text, analyseTerm(term))
    // The second argument is the area of the record.
    assert.deepEqual(findPlanNames('M.P. 46 NN.SS.: ordenanza', 'UE Pendevel-29', mark), [
      'UE Pendevel-29',
      'Normas Subsidiarias',
    ])
    assert.deepEqual(findPlanNames('MODIFICACIÓN NÚM. 14 del PGOU en "Llalijo"', 'S/SUNC/52', mark), [
      'Llalijo',
      'S/SUNC/52',
      'Plan General',
    ])
    assert.deepEqual(findPlanNames('Modificación puntual nº 29/2026', '', mark), [])
    for (const title of ['PGOM', 'P. G. O. U.', 'Plan Gral. de Ordenación', 'Pla General Metropolità', 'P.G.M.']) {
      assert.deepEqual(findPlanNames(`Revisión del ${title}`, '', mark), ['Plan General'], title)
    }
    assert.deepEqual(findPlanNames('Plan Parcial del Sistema General Viario', '', mark), [])
  })
})

suite('the page of a municipality', () => {
  test('it shows the place, the newest records and the map, and its form searches the municipality', async () => {
    const session = await registry.read('municipio/15030')
    await session.page.getByRole('heading', { level: 1, name: 'A Coruña' }).waitFor()
    await session.page.getByText('A Coruña, Galicia').waitFor()
    assert.deepEqual(await session.page.locator('.record h3').allTextContents(), ['Plan Especial del Puerto'])
    assert.equal(await session.page.locator('.places .chosen').count(), 1)
    await session.page.getByRole('textbox', { name: 'Palabras' }).fill('puerto')
    await session.page.getByRole('button', { name: 'Buscar' }).click()
    await session.page.locator('#results-heading', { hasText: '1 expediente con «puerto» en A Coruña' }).waitFor()
  })

  test('emptying a field of its form only changes the form, and Enter then opens the search', async () => {
    const opened: string[] = []
    await using session = await registry.open('municipio/05019', {
      before: async (page) => {
        page.on('request', (request) => {
          if (request.isNavigationRequest()) opened.push(request.url().replace(registry.service.base, ''))
        })
      },
    })
    const municipality = session.page.getByRole('combobox', { name: 'Municipio' })
    await municipality.fill('')
    await typeWords(session.page, 'plan')
    await session.page.getByRole('button', { name: 'Borrar las palabras' }).click()
    await typeWords(session.page, 'zumacal')
    await municipality.press('Enter')
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
    // A set, because the fixture reloads a page if the service was too busy to respond.
    assert.deepEqual(new Set(opened), new Set(['/municipio/05019', '/?search=zumacal']))
  })

  test('leaving its municipality field only changes the form, and Enter then searches the typed name', async () => {
    await using session = await registry.open('municipio/05019')
    await session.page.getByRole('combobox', { name: 'Municipio' }).fill('alicante')
    await typeWords(session.page, 'zumacal')
    // Ávila has no record of 2002: the form has the years of the whole registry.
    assert.equal(await session.page.locator('#year option[value="2002"]').count(), 1)
    assert.equal(new URL(session.page.url()).pathname, `${new URL(registry.service.base).pathname}/municipio/05019`)
    await session.page.getByRole('textbox', { name: 'Palabras' }).press('Enter')
    await waitForHeading(session.page, '1 expediente con «zumacal» en Alicante/Alacant')
  })

  test('Enter in its municipality field opens the search, although the name has not changed', async () => {
    await using session = await registry.open('municipio/05019')
    await typeWords(session.page, 'zumacal')
    await session.page.getByRole('combobox', { name: 'Municipio' }).press('Enter')
    await waitForHeading(session.page, '3 expedientes con «zumacal» en Ávila')
  })

  test('a choice in its chart opens the search', async () => {
    const session = await registry.read('municipio/05019')
    await session.page.locator('#year-2005').click()
    // The search has the province too, because another province may have a municipality of this name. The heading omits
    // the province, because it has the same name as the municipality.
    await session.page.locator('#results-heading', { hasText: 'en Ávila de 2005' }).waitFor()
  })
})
