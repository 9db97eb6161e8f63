/** Owns the test that the codec works where code generation is not allowed, and that it generates where it is. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, expect, test } from 'vitest'
import { codeGenerationAllowed } from '../../../src/codec/generate.js'
import { samplePayload, sampleSchemas, sampleSigned } from './sample.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'causeway-codec-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('signed transfers have the same bytes in both interpreters', () => {
  expect(codeGenerationAllowed()).toBe(true)
  const schemas = sampleSchemas()
  const expected = schemas.signed.encode(sampleSigned(schemas)).toString('hex')
  expect(schemas.payload.encode(samplePayload).length).toBeGreaterThan(150)

  // The child runs plain JavaScript, so that nothing but the codec itself is under the flag.
  const program = ts.createProgram([join(root, 'test/unit/codec/sample.ts'), join(root, 'src/codec/generate.ts')], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    outDir: folder,
    rootDir: root,
    skipLibCheck: true,
    types: ['node'],
  })
  program.emit()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  writeFileSync(
    join(folder, 'run.js'),
    `import { codeGenerationAllowed } from './src/codec/generate.js'
import { sampleSchemas, sampleSigned } from './test/unit/codec/sample.js'
const schemas = sampleSchemas()
const bytes = schemas.signed.encode(sampleSigned(schemas))
const decoded = schemas.signed.decode(bytes)
console.log(JSON.stringify({
  allowed: codeGenerationAllowed(),
  hex: bytes.toString('hex'),
  again: schemas.signed.encode(decoded.value).toString('hex'),
  transfer: schemas.signed.toJson(decoded.value).payload.instructions[0].Transfer.amount,
  checked: schemas.signed.check(bytes) ?? null,
  refused: schemas.signed.check(bytes.subarray(0, 90)).code,
}))`,
  )
  const output = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', 'run.js'], { cwd: folder })
  expect(JSON.parse(output.toString())).toEqual({
    allowed: false,
    hex: expected,
    again: expected,
    transfer: '125.5',
    checked: null,
    refused: 'truncated',
  })
})
