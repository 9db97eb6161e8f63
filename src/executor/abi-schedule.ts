/** Owns the ABIs of a release and the active ABI: a view that changes at the height of an upgrade. */
import type { CodecContext } from '../codec/index.js'
import { LedgerError } from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import type { Abi } from './registry.js'
import { chainInfo, SINGLETON_KEY } from './tables.js'

/** ABI required by a height. */
export interface NeededAbi {
  readonly number: number
  /** Absent for the ABI of genesis: every node has executed that genesis. */
  readonly hash: Uint8Array | undefined
}

/** ABI of a height, from the state after the height below. */
export function abiNeededAt(state: StateReader, height: number): NeededAbi {
  const info = state.get(chainInfo, SINGLETON_KEY)
  if (info === undefined) throw new Error('the world state has no chain record: genesis was not applied')
  const next = info.nextAbi
  return next !== undefined && next.fromHeight <= height
    ? { number: next.abi, hash: next.hash }
    : { number: info.abi, hash: info.abiHash }
}

/** Schedule of ABIs: holders of `abi` and of its codec contexts see a switch at once, without a notification. */
export class AbiSchedule {
  /** Active ABI at the time of each access. */
  readonly abi: Abi
  private current: Abi
  private readonly contexts = new Map<string, CodecContext>()

  /** `genesis`: number of the ABI of genesis. */
  constructor(
    readonly supportedAbis: ReadonlyMap<number, Abi>,
    genesis: Abi,
  ) {
    this.current = genesis
    const view = { codec: (prefix: string) => this.contextOf(prefix) }
    for (const key of Object.keys(genesis) as (keyof Abi)[]) {
      if (key === 'codec') continue
      Object.defineProperty(view, key, { enumerable: true, get: () => this.current[key] })
    }
    this.abi = view as Abi
  }

  /** Activate the ABI that a height needs. Throws `abi_missing` if this release does not have it. */
  switchTo({ number, hash }: NeededAbi, height: number): void {
    const found = this.supportedAbis.get(number)
    if (found === undefined || (hash !== undefined && Buffer.compare(found.hash, hash) !== 0)) {
      const own = [...this.supportedAbis.keys()].join(', ')
      throw new LedgerError(
        'abi_missing',
        `height ${height} runs under ABI ${number}, which this release does not support (it has ${own})`,
        { hint: 'Install a release that supports this ABI and start the node again; its data is not changed.' },
      )
    }
    this.current = found
  }

  private contextOf(addressPrefix: string): CodecContext {
    const known = this.contexts.get(addressPrefix)
    if (known !== undefined) return known
    const registries = () => this.current.codec(addressPrefix).registries
    const context = {
      addressPrefix,
      get registries() {
        return registries()
      },
    }
    this.contexts.set(addressPrefix, context)
    return context
  }
}

/** Record the ABI of an upgrade as active at its activation height. */
export function activateAbi(state: StateWriter, height: number): void {
  const info = state.get(chainInfo, SINGLETON_KEY)
  const next = info?.nextAbi
  if (info === undefined || next === undefined || next.fromHeight > height) return
  state.set(chainInfo, SINGLETON_KEY, { ...info, abi: next.abi, abiHash: next.hash, nextAbi: undefined })
}

/** Schedule from options; `abi` alone is the ABI of genesis. */
export const abiScheduleOf = ({
  abi,
  abis,
}: {
  readonly abi: Abi
  readonly abis?: ReadonlyMap<number, Abi>
}): AbiSchedule => new AbiSchedule(abis ?? new Map([[abi.number, abi]]), abi)
