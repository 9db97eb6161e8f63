/** Owns the faults of a local network: signals for its processes, weather for its links. */
import { LedgerError } from '../../model/errors.js'
import { usageError } from '../command/failure.js'
import { CAN_TELL_DIALERS } from './links/dialer.js'
import { changedFaults, faultText, readFaults, writeFaults } from './links/faults.js'
import { hasProxies, linksPid } from './links/process.js'
import { pidOf, stopProcess } from './process.js'
import type { Localnet, LocalPeer } from './record.js'

/** What a fault does to a process that it does not end. */
const SIGNALS = { pause: 'SIGSTOP', resume: 'SIGCONT' } as const
const DONE = { kill: 'killed', pause: 'paused', resume: 'goes on' } as const
type ProcessFault = keyof typeof DONE

export const isProcessFault = (fault: string): fault is ProcessFault => Object.hasOwn(DONE, fault)

/** Does a fault to a process, a killed one is gone afterwards; throws `unreachable` when the peer does not run. */
export async function breakProcess(
  peer: LocalPeer,
  fault: ProcessFault,
): Promise<{ readonly pid: number; readonly done: string }> {
  const pid = await pidOf(peer)
  if (pid === undefined) {
    throw new LedgerError('unreachable', `${peer.name} does not run`, { hint: 'Start it with `causeway localnet up`.' })
  }
  if (fault === 'kill') await stopProcess(pid)
  else process.kill(pid, SIGNALS[fault])
  return { pid, done: DONE[fault] }
}

/** Throws `usage` where links cannot be told apart. */
export function requireDialers(): void {
  if (CAN_TELL_DIALERS) return
  throw usageError(
    'links can be cut and delayed on Linux only: other systems do not report which process opened a link',
  )
}

/** Changes the weather of a peer's links; gives how they are now, undefined for sound. */
export async function breakLinks(
  net: Localnet,
  peer: string,
  { fault, byMs, heal }: { readonly fault: 'partition' | 'delay'; readonly byMs: number; readonly heal: boolean },
): Promise<string | undefined> {
  requireDialers()
  if (!hasProxies(net)) {
    throw usageError(
      'the links of this network are direct: nothing can cut or delay them',
      'Put proxies in between: `causeway localnet down`, then `causeway localnet up --faults`.',
    )
  }
  if ((await linksPid(net)) === undefined) {
    throw new LedgerError('unreachable', 'the proxies of the links do not run', {
      hint: 'Start the network with `causeway localnet up`.',
    })
  }
  const change =
    fault === 'partition'
      ? ({ kind: 'partition', on: !heal } as const)
      : ({ kind: 'delay', ms: heal ? undefined : byMs } as const)
  const faults = changedFaults(await readFaults(net.folder), peer, change)
  await writeFaults(net.folder, faults)
  return faultText(faults, peer)
}
