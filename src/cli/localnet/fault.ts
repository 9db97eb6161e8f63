/** Owns the faults of a local network: signals for its processes, faults of its links. */
import { LedgerError } from '../../model/errors.js'
import type { Localnet, LocalPeer } from '../settings/localnet-record.js'
import { usageError } from '../terminal/failure.js'
import { IDENTIFIES_DIALERS } from './links/dialer.js'
import { changedFaults, faultText, readFaults, writeFaults } from './links/faults.js'
import { hasProxies, linksPid } from './links/process.js'
import { pidOf, stopProcess } from './process.js'

/** Signals of faults that do not end a process. */
const SIGNALS = { pause: 'SIGSTOP', resume: 'SIGCONT' } as const
const DONE = { kill: 'killed', pause: 'paused', resume: 'goes on' } as const
type ProcessFault = keyof typeof DONE

export const isProcessFault = (fault: string): fault is ProcessFault => Object.hasOwn(DONE, fault)

/**
 * Apply a fault to a process; a killed process has ended when this resolves. Throws `unreachable` if the peer does not
 * run.
 */
export async function breakProcess(
  peer: LocalPeer,
  fault: ProcessFault,
): Promise<{ readonly pid: number; readonly done: string }> {
  const pid = await pidOf(peer)
  if (pid === undefined) {
    throw new LedgerError('unreachable', `${peer.name} is not running`, {
      hint: 'Start it with `causeway localnet up`.',
    })
  }
  if (fault === 'kill') await stopProcess(pid)
  else process.kill(pid, SIGNALS[fault])
  return { pid, done: DONE[fault] }
}

/** Throw `usage` on systems where the dialling process of a link cannot be determined. */
export function requireDialers(): void {
  if (IDENTIFIES_DIALERS) return
  throw usageError(
    'cutting and delaying links is supported on Linux only: other systems do not report the process that opened a link',
  )
}

/** Change the link faults of a peer; returns the current faults, undefined if there are none. */
export async function breakLinks(
  net: Localnet,
  peer: string,
  { fault, byMs, heal }: { readonly fault: 'partition' | 'delay'; readonly byMs: number; readonly heal: boolean },
): Promise<string | undefined> {
  requireDialers()
  if (!hasProxies(net)) {
    throw usageError(
      'cannot cut or delay links: this network was started without proxies',
      'Restart with proxies: `causeway localnet down`, then `causeway localnet up --faults`.',
    )
  }
  if ((await linksPid(net)) === undefined) {
    throw new LedgerError('unreachable', 'the proxies of the links are not running', {
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
