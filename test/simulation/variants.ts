/** Owns wrong variants of the sources: copied, patched by their exact text, loaded beside the real ones. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import type * as Simulation from '../../src/simulation/index.js'
import type { Patch } from './mutants.js'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))
/** Copied and patched; the layers below are linked, so they are the same modules in all variants. */
const COPIED = ['consensus', 'simulation', 'lanes', 'queue', 'features/lanes/ledger/change.ts']
const LINKED = ['codec', 'crypto', 'model', 'state', 'executor']

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-mutants-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The simulator over the patched sources. */
export async function variantOf(patches: readonly Patch[], name: string): Promise<typeof Simulation> {
  const root = join(folder, name, 'src')
  mkdirSync(root, { recursive: true })
  for (const layer of COPIED) cpSync(join(SOURCES, layer), join(root, layer), { recursive: true })
  for (const layer of LINKED) symlinkSync(join(SOURCES, layer), join(root, layer))
  for (const { file, find, by } of patches) {
    const path = join(root, file)
    const source = readFileSync(path, 'utf8')
    expect(source.split(find).length - 1, `${file} has moved on: adapt the patch of "${find}"`).toBe(1)
    writeFileSync(
      path,
      source.replace(find, () => by),
    )
  }
  return (await import(/* @vite-ignore */ join(root, 'simulation', 'index.ts'))) as typeof Simulation
}
