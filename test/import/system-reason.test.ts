// What the system says, such as that the disk is full, in the language of the user.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFullDisk, systemReasonOf } from '../../src/import/system-reason.ts'
import { setLanguage } from '../../src/language.ts'
import { runCommand } from '../command.ts'
import { makeFolder } from './folder.ts'

test('the reason of a system error is in Spanish, and in English the message of the error', (context) => {
  context.after(() => setLanguage('en'))
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const denied = Object.assign(new Error("EACCES: permission denied, mkdir '/x'"), { code: 'EACCES', path: '/x' })
  const unknownHost = Object.assign(new Error('getaddrinfo ENOTFOUND x.example'), { code: 'ENOTFOUND' })
  const errors = [full, denied, unknownHost, new Error('something else')]
  assert.deepEqual(
    errors.map(systemReasonOf),
    errors.map(({ message }) => message),
  )
  setLanguage('es')
  assert.deepEqual(errors.map(systemReasonOf), [
    'el disco está lleno (ENOSPC)',
    'permiso denegado (EACCES: /x)',
    'no se encuentra el nombre del servidor (ENOTFOUND)',
    'something else',
  ])
  assert.deepEqual(errors.map(isFullDisk), [true, false, false, false])
})

test('standard input has a Spanish name in the report', async (context) => {
  const folder = await makeFolder(context)
  const input = 'Código;Título;Municipio;Fecha entrada\nA-1;Plan;Ibi;2004-01-01\n'
  const flags = ['--dry-run', '--lang', 'es', '--database', `sqlite:${folder.path}/r.db`]
  const { stdout } = await runCommand(['import', '-', ...flags], { input })
  assert.match(stdout, /leídas {10}1 fila de la entrada estándar\n/)
})
