/**
 * Owns SIGHUP: the log file is reopened, the configuration is reloaded, and the result is written to the log and a
 * file.
 */
import { join } from 'node:path'
import { LedgerError } from '../../model/index.js'
import { exists, FORMAT_FILE } from '../../storage/index.js'
import { loadNodeConfig, type NodeConfig } from '../config/index.js'
import type { Logger } from '../process/logger.js'
import { outcomeOf, writeOutcome } from './file.js'
import type { Reloadable, Reloaded } from './reload.js'

/** Node that handles signals. */
export interface SignalledNode {
  /** undefined while it starts. */
  readonly node: () => Reloadable | undefined
  readonly logger: Logger
  /** Continue with a new log file if the old one was moved. */
  readonly reopenLog: () => void
  readonly dataDir: string
}

/**
 * On each SIGHUP, reopen the log and read the file again. Reloads run one after another; the last reading takes effect.
 */
export function reloadOnSignal(
  file: string,
  { node, logger, reopenLog, dataDir }: SignalledNode,
  load = loadNodeConfig,
): void {
  const reload = async (): Promise<void> => {
    reopenLog()
    const outcome = await outcomeOf(reloaded(() => load(file), node()))
    if ('error' in outcome) logger.error(outcome.error, 'the configuration was not reloaded')
    else logger.info(outcome, 'the configuration was reloaded')
    // A node that fills its data directory from a snapshot needs it empty until then.
    if (await exists(join(dataDir, FORMAT_FILE))) await writeOutcome(dataDir, outcome, Date.now())
  }
  let last: Promise<void> = Promise.resolve()
  process.on('SIGHUP', () => {
    last = last.then(reload).catch((error: unknown) => logger.error({ error: String(error) }, 'a reload failed'))
  })
}

async function reloaded(load: () => Promise<NodeConfig>, node: Reloadable | undefined): Promise<Reloaded> {
  if (node === undefined)
    throw new LedgerError('node_starting', 'the node is starting with the configuration that it read before')
  return node.reload(await load())
}
