/**
 * Owns the worst blocks of contracts: each full of calls with the highest time per gas, from the wire to the root, on
 * an uncached state. Cold is the first such block of a process that ran the self-checks of a node; warm is the fastest
 * of many.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BLOCK_FULL, BLOCK_NAMES, measureBlock } from './contracts/blocks.js'

const run = promisify(execFile)

/** Worst blocks by name, in ms of processor time; the slowest first. */
export async function benchContractBlocks() {
  const figures: { readonly name: string; readonly coldMs: number; readonly warmMs: number; readonly calls: number }[] =
    []
  for (const name of BLOCK_NAMES) {
    // A process each: code of an earlier one would be hot.
    const { stdout } = await run(process.execPath, [fileURLToPath(import.meta.url), name])
    figures.push({ name, ...(JSON.parse(stdout) as Awaited<ReturnType<typeof measureBlock>>) })
  }
  return { full: BLOCK_FULL, blocks: figures.sort((a, b) => b.warmMs - a.warmMs) }
}

const name = process.argv[2]
if (name !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(JSON.stringify(await measureBlock(name)))
}
