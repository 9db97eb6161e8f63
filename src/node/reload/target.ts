/** Owns the choice of the process for a reload; SIGHUP would end a process that does not handle it. */
import { LedgerError } from '../../model/index.js'
import { dataDirHolder } from '../../storage/index.js'

/**
 * Process id of the node that runs on a data directory and handles SIGHUP. Throws a `LedgerError` with the reason if
 * there is none.
 */
export async function reloadTarget(dataDir: string): Promise<number> {
  const holder = await dataDirHolder(dataDir)
  if (holder === undefined) throw new LedgerError('unreachable', `no node is running on ${dataDir}`)
  const { pid, use, isElsewhere, isJoining } = holder
  if (use === 'command') {
    throw new LedgerError('data_dir_locked', `a causeway command is using ${dataDir} (process ${pid})`, {
      hint: 'Wait until it has ended. A node reads its configuration when it starts.',
      details: { path: dataDir, pid },
    })
  }
  if (isElsewhere) {
    throw new LedgerError('unreachable', `the node on ${dataDir} runs on another machine or in another container`, {
      hint: 'Run this command there.',
    })
  }
  if (use === undefined) {
    throw new LedgerError(
      'data_dir_locked',
      `process ${pid} on ${dataDir} belongs to a release that does not report its type`,
      {
        hint: `If it is a node that supports SIGHUP: kill -HUP ${pid}. Otherwise restart it, which also reads the configuration.`,
        details: { path: dataDir, pid },
      },
    )
  }
  if (isJoining) {
    throw new LedgerError('node_starting', `the node (process ${pid}) is still filling ${dataDir} from a snapshot`, {
      hint: 'It read its configuration when it started: reload once it runs.',
    })
  }
  return pid
}
