// Texts in the language of the user: the reason that the operating system gives, such as a full disk, and the name of
// standard input.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFullDisk } from '../../src/import/full-disk.ts'
import { setLanguage } from '../../src/language.ts'
import { systemReasonOf } from '../../src/system-reason.ts'
import { runCommand } from '../command.ts'
import { makeFolder } from './folder.ts'

test('the reason is the message in English and a translation in Spanish; a full disk is recognised', (context) => {
  context.after(() => setLanguage('en'))
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const denied = Object.assign(new Error("EACCES: permission denied, mkdir '/x'"), { code: 'EACCES', path: '/x' })
  const notFolder = Object.assign(new Error("ENOTDIR: not a directory, mkdir 'a/b'"), { code: 'ENOTDIR', path: 'a/b' })
  const unknownHost = Object.assign(new Error('getaddrinfo ENOTFOUND x.example'), { code: 'ENOTFOUND' })
  const errors = [full, denied, notFolder, unknownHost, new Error('something else')]
  assert.deepEqual(
    errors.map(systemReasonOf),
    errors.map(({ message }) => message),
  )
  setLanguage('es')
  assert.deepEqual(errors.map(systemReasonOf), [
    'el disco está lleno (ENOSPC)',
    'permiso denegado (EACCES: /x)',
    'una parte de la ruta no es una carpeta (ENOTDIR: a/b)',
    'no se encuentra el nombre del servidor (ENOTFOUND)',
    'something else',
  ])
  assert.deepEqual(errors.map(isFullDisk), [true, false, false, false, false])
})

test('standard input has a Spanish name in the report', async (context) => {
  const folder = await makeFolder(context)
  const input = 'Código;Título;Municipio;Fecha entrada\nA-1;Plan;Ibi;2004-01-01\n'
  const flags = ['--dry-run', '--lang', 'es', '--database', `sqlite:${folder.path}/r.db`]
  const { stdout } = await runCommand(['import', '-', ...flags], { input })
  assert.match(stdout, /leídas {10}1 fila de la entrada estándar\n/)
})
