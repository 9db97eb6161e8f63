/** Owns which process is told of a changed configuration: SIGHUP ends any that does not expect it. */
import { LedgerError } from '../model/index.js'
import { dataDirHolder } from '../storage/index.js'

/** Id of the node that runs on a data directory and takes SIGHUP. Throws a `LedgerError` that says why there is none. */
export async function reloadTarget(dataDir: string): Promise<number> {
  const holder = await dataDirHolder(dataDir)
  if (holder === undefined) throw new LedgerError('unreachable', `no node runs on ${dataDir}`)
  const { pid, use, isElsewhere, isJoining } = holder
  if (use === 'command') {
    throw new LedgerError('data_dir_locked', `a command of causeway works on ${dataDir} (process ${pid})`, {
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
      `process ${pid} on ${dataDir} is of a release that does not say what it is`,
      {
        hint: `If it is a node that knows SIGHUP: kill -HUP ${pid}. Otherwise start it anew, which reads the configuration too.`,
        details: { path: dataDir, pid },
      },
    )
  }
  if (isJoining) {
    throw new LedgerError('node_starting', `the node (process ${pid}) still fills ${dataDir} by a snapshot`, {
      hint: 'It has read its configuration as it was when it started: reload once it runs.',
    })
  }
  return pid
}
