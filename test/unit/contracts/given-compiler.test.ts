/** Compiling an untrusted folder uses only the given compiler, and nothing of the folder. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compileProject, hashesOf, makeProject, readBuilt } from '../../../src/cli/contract/project.js'
import { verifyDeployed } from '../../../src/cli/contract/verify.js'
import type { CausewayClient } from '../../../src/client/index.js'

let root: string
let folder: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'given-compiler-'))
  folder = join(root, 'token')
  await makeProject(folder, 'token')
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Makes a compiler that gives the bytes of a file, whatever it is to compile. */
async function compilerThatGives(at: string, file: string): Promise<string> {
  await mkdir(join(at, 'dist'), { recursive: true })
  await writeFile(join(at, 'package.json'), '{"type": "module"}')
  await writeFile(
    join(at, 'dist', 'asc.js'),
    `import { readFileSync } from 'node:fs'
export default {
  main: async (_args, io) => {
    io.writeFile('contract.wasm', readFileSync(${JSON.stringify(file)}))
    return { error: null, stderr: '' }
  },
}
`,
  )
  return at
}

it('a compiler in the folder of a contract is not run, since its output is not trusted', async () => {
  const token = join(folder, 'build', 'contract.wasm')
  await makeProject(join(root, 'escrow'), 'escrow')
  const escrow = join(root, 'escrow', 'build', 'contract.wasm')
  // The sender of the folder claims that it matches the deployed module.
  await compilerThatGives(join(folder, 'node_modules', 'assemblyscript'), token)
  const runs = await hashesOf(await readBuilt(folder))
  const client = {
    json: async () => ({ address: 'cw1token', instance: runs, manifest: runs }),
  } as unknown as CausewayClient
  expect((await hashesOf(await compileProject(folder))).artifact).toBe(runs.artifact)
  const mine = await compilerThatGives(join(root, 'mine'), escrow)
  await expect(verifyDeployed(folder, client, 'cw1token', mine)).rejects.toMatchObject({ code: 'validation_failed' })
  const honest = await compilerThatGives(join(root, 'honest'), token)
  expect(await verifyDeployed(folder, client, 'cw1token', honest)).toMatchObject({ valid: true, compiler: honest })
})
