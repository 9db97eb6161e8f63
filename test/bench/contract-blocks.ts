/**
 * Owns the worst blocks of contracts: each full of calls that take as long as a gas can, from the wire to the root, on a state with
 * nothing in memory. Cold is the first such block of a process that did the known work of a node; warm is the fastest of many.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BLOCK_FULL, BLOCK_NAMES, measureBlock } from './contracts/blocks.js'

const run = promisify(execFile)

/** Worst blocks by name, in ms of processor time; the dearest first. */
export async function benchContractBlocks() {
  const figures: { readonly name: string; readonly coldMs: number; readonly warmMs: number; readonly calls: number }[] =
    []
  for (const name of BLOCK_NAMES) {
    // A process each: what another one ran would be hot.
    const { stdout } = await run(process.execPath, [fileURLToPath(import.meta.url), name])
    figures.push({ name, ...(JSON.parse(stdout) as Awaited<ReturnType<typeof measureBlock>>) })
  }
  return { full: BLOCK_FULL, blocks: figures.sort((a, b) => b.warmMs - a.warmMs) }
}

const name = process.argv[2]
if (name !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(JSON.stringify(await measureBlock(name)))
}
