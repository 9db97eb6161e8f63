/** Owns the commands that print one route, by their words; `scripts/bundle.mjs` generates a command for each. */
import { commandOf, type Read } from './command.js'
import { consensusReads } from './consensus.js'
import { familiesReads } from './families.js'
import { financeReads } from './finance.js'
import { governanceReads } from './governance.js'
import { ledgerReads } from './ledger.js'
import { nodeReads } from './node.js'

const READS: Readonly<Record<string, Read>> = {
  ...consensusReads,
  ...ledgerReads,
  ...familiesReads,
  ...financeReads,
  ...governanceReads,
  ...nodeReads,
}

/** Words of the commands, separated by blanks. */
export const READ_COMMANDS: readonly string[] = Object.keys(READS)

/** Class of the command with these words. Throws an Error if no row has them. */
export function readCommand(id: string): ReturnType<typeof commandOf> {
  const read = READS[id]
  if (read === undefined) throw new Error(`no generated command is named ${id}`)
  return commandOf(id, read)
}
