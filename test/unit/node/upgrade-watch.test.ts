/** Upgrades to come are looked at in time: what this release or a peer's could not run is said once. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { UpgradeView } from '../../../src/features/upgrades/schema.js'
import { UpgradeWatch } from '../../../src/node/peers/upgrade-watch.js'
import type { Logger } from '../../../src/node/process/logger.js'

const hashOf = (abi: number): Buffer => Buffer.alloc(32, abi)
/** Validator keys as they are held: text of 48 bytes. */
const [OLD, NEW, LATER] = ['A', 'B', 'C'].map((letter) => letter.repeat(48)) as [string, string, string]
const carried = [1, 2].map((number) => ({ number, hash: hashOf(number) }))

const upgrade = (changes: Partial<UpgradeView> = {}, abi = 3): UpgradeView => ({
  id: hashOf(9),
  manifest: {
    name: `to-${abi}`,
    description: '',
    abiVersion: abi,
    abiHash: hashOf(abi),
    startHeight: 50,
    endHeight: 60,
  },
  status: 'proposed',
  proposer: '',
  createdHeight: 5,
  activationHeight: undefined,
  ...changes,
})

let items: UpgradeView[]
let height: number
let nowMs: number
let warned: { readonly fields: Record<string, unknown>; readonly message: string }[]
let watch: UpgradeWatch

beforeEach(() => {
  items = []
  height = 10
  nowMs = 0
  warned = []
  const logger = { warn: (fields: Record<string, unknown>, message: string) => warned.push({ fields, message }) }
  watch = new UpgradeWatch({
    carried,
    upgrades: async () => ({ items, height }),
    monotonicMs: () => nowMs,
    logger: logger as unknown as Logger,
  })
})
const look = async (): Promise<void> => {
  nowMs += 10_000
  await watch.look()
}

describe('pending runtime upgrades', () => {
  it('are not reported while this release supports their ABI', async () => {
    items = [upgrade({}, 2)]
    await look()
    expect(watch.missing).toBeUndefined()
    expect(warned).toEqual([])
  })

  it('are reported if this release has the ABI number with another hash', async () => {
    const { manifest } = upgrade({}, 2)
    items = [upgrade({ manifest: { ...manifest, abiHash: hashOf(8) } }, 2)]
    await look()
    expect(watch.missing).toMatchObject({ abiVersion: 2, decided: false, fromHeight: 50 })
  })

  it('are reported once when proposed, and once more when activated', async () => {
    items = [upgrade()]
    for (let time = 0; time < 3; time += 1) await look()
    expect(warned).toHaveLength(1)
    expect(warned[0]?.fields).toEqual({ upgrade: 'to-3', abi: 3, from_height: 50 })
    items = [upgrade({ status: 'activated', activationHeight: 54 })]
    for (let time = 0; time < 3; time += 1) await look()
    expect(warned).toHaveLength(2)
    expect(warned[1]?.message).toContain('stops before its height')
    expect(watch.missing).toMatchObject({ decided: true, fromHeight: 54 })
  })

  it('are no longer reported once cancelled, expired or past', async () => {
    for (const over of [
      { status: 'cancelled' },
      { status: 'expired' },
      { status: 'activated', activationHeight: 10 },
    ] as const) {
      items = [upgrade()]
      await look()
      expect(watch.missing).toBeDefined()
      items = [upgrade(over)]
      await look()
      expect(watch.missing).toBeUndefined()
    }
  })

  it('are ordered by decided ones first, then by height', async () => {
    const at = (startHeight: number, abi: number) => ({ manifest: { ...upgrade({}, abi).manifest, startHeight } })
    items = [upgrade(at(90, 4), 4), upgrade(at(70, 5), 5), upgrade({ status: 'activated', activationHeight: 95 })]
    await look()
    expect(watch.missing?.abiVersion).toBe(3)
    items = items.slice(0, 2)
    await look()
    expect(watch.missing?.abiVersion).toBe(5)
  })

  it('are reported for each peer whose release does not support them, including peers that join later', async () => {
    items = [upgrade({}, 2)]
    watch.peerUp(OLD, [{ number: 1, hash: hashOf(1) }])
    watch.peerUp(NEW, carried)
    await look()
    expect(warned.map((one) => one.message)).toEqual(['peer does not support the ABI of a scheduled upgrade'])
    watch.peerUp(LATER, [])
    expect(warned).toHaveLength(2)
    watch.peerDown(LATER)
    await look()
    expect(warned).toHaveLength(2)
    watch.peerUp(LATER, [])
    expect(warned).toHaveLength(3)
  })

  it('are checked only every few seconds', async () => {
    let asked = 0
    const counting = new UpgradeWatch({
      carried,
      upgrades: async () => {
        asked += 1
        return undefined
      },
      monotonicMs: () => nowMs,
      logger: { warn: () => undefined } as unknown as Logger,
    })
    for (nowMs = 0; nowMs < 20_000; nowMs += 1_000) await counting.look()
    expect(asked).toBe(4)
  })
})
