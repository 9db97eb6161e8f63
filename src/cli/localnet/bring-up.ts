/** Owns the last steps of `localnet up`: start, wait, check. */
import { join } from 'node:path'
import { type Localnet, requireLocalnet } from '../settings/localnet-record.js'
import { withProgress } from '../terminal/progress.js'
import { type PathsIn, requireInside } from './adopt.js'
import { startLinks } from './links/process.js'
import { requireMark } from './mark.js'
import { type LocalnetStatus, settledStatus } from './status.js'
import { startPeers, type UpResult } from './up.js'

/** Maximum wait until all peers report the same state, in ms: they agree within a block or two. */
const SETTLE_MS = 5_000

/** Running network. */
export interface Running {
  readonly net: Localnet
  readonly result: UpResult
  readonly status: LocalnetStatus
}

/**
 * Start the stopped peers of the network in a folder; `only` names the peers, all if undefined. Throws `config_invalid`
 * for a network of another user, and for paths outside of its folder.
 */
export async function bringUp(options: {
  readonly folder: string
  /** Root of the package, which contains bin/run.js. */
  readonly root: string
  readonly timeoutMs: number
  readonly silent: boolean
  readonly only?: readonly string[] | undefined
  readonly pathsIn: PathsIn
}): Promise<Running> {
  const net = await requireLocalnet(options.folder)
  const { only } = options
  const peers = only === undefined ? net.peers : net.peers.filter((one) => only.includes(one.name))
  await requireMark(net)
  for (const peer of peers) await requireInside(net.folder, peer, options.pathsIn)
  await startLinks(net)
  const executable = join(options.root, 'bin', 'run.js')
  const result = await withProgress(`starting ${peers.length} peers`, options.silent, (report) =>
    startPeers(peers, executable, options.timeoutMs, report),
  )
  return { net, result, status: await settledStatus(net, SETTLE_MS) }
}
