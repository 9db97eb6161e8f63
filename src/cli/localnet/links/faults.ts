/** Owns injected link faults of a local network: a file that commands write and the proxies read. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../../base/thrown.js'
import { replaceFile } from '../../../files/write-file.js'
import type { Weather } from './proxy.js'

/** Name of the file in the folder of the network. */
const FAULTS_FILE = 'link-faults.json'

/** Link faults by name of the peer. */
export interface LinkFaults {
  /** Peers without links to any other peer. */
  readonly cut: readonly string[]
  /** Delay of every message from or to a peer, in ms. */
  readonly delayedMs: Readonly<Record<string, number>>
}

export const NO_FAULTS: LinkFaults = { cut: [], delayedMs: {} }

/** Link faults in the file of a network; none without a file. */
export async function readFaults(folder: string): Promise<LinkFaults> {
  try {
    const { cut, delayed_ms } = JSON.parse(await readFile(join(folder, FAULTS_FILE), 'utf8')) as {
      readonly cut: readonly string[]
      readonly delayed_ms: Readonly<Record<string, number>>
    }
    return { cut, delayedMs: delayed_ms }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return NO_FAULTS
    throw error
  }
}

/** Replace the file atomically; remove it if there are no faults. */
export async function writeFaults(folder: string, { cut, delayedMs }: LinkFaults): Promise<void> {
  const path = join(folder, FAULTS_FILE)
  if (cut.length === 0 && Object.keys(delayedMs).length === 0) return rm(path, { force: true })
  await replaceFile(path, `${JSON.stringify({ cut, delayed_ms: delayedMs }, null, 2)}\n`)
}

/** Faults with one added or removed. */
export function changedFaults(
  { cut, delayedMs }: LinkFaults,
  peer: string,
  change:
    | { readonly kind: 'partition'; readonly on: boolean }
    | { readonly kind: 'delay'; readonly ms: number | undefined },
): LinkFaults {
  const others = cut.filter((name) => name !== peer)
  if (change.kind === 'partition') return { cut: change.on ? [...others, peer] : others, delayedMs }
  const { [peer]: _, ...rest } = delayedMs
  return { cut, delayedMs: change.ms === undefined ? rest : { ...rest, [peer]: change.ms } }
}

/** Description of the links of a peer; undefined without faults. */
export function faultText({ cut, delayedMs }: LinkFaults, peer: string): string | undefined {
  const ms = delayedMs[peer]
  const parts = [...(cut.includes(peer) ? ['partitioned'] : []), ...(ms === undefined ? [] : [`delayed by ${ms} ms`])]
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** Link behaviour between peers: a cut peer is isolated, a delay is the sum of both ends. */
export const weatherOf = (faults: () => LinkFaults): Weather => ({
  isCut: (from, to) => faults().cut.includes(from) || faults().cut.includes(to),
  delayMs: (from, to) => (faults().delayedMs[from] ?? 0) + (faults().delayedMs[to] ?? 0),
})
