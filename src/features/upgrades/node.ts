/** Owns the runtime routes beyond queries. Drafts are unsigned, so that a node changes nothing by itself. */

import { type AnyHandler, handle } from '../../api/handler.js'
import type { NodeServices } from '../../api/services.js'
import { sameBytes } from '../../base/bytes.js'
import { type Instruction, instruction, LedgerError } from '../../model/index.js'
import { answerDraft, type Drafting } from '../drafts.js'
import { defineService } from '../service.js'
import type * as views from './schema.js'
import * as schema from './schema.js'
import { instructions, queries, RUNTIME, upgradeSchema } from './schema.js'

type Input<P = undefined, B = undefined> = { readonly services: NodeServices; readonly params: P; readonly body: B }
type IdPath = { readonly id: Uint8Array }

async function listOf(services: NodeServices): Promise<views.UpgradeList> {
  const found = await services.query(queries.upgrades, {})
  if (found === undefined) throw new Error('the query of upgrades returned nothing')
  return found
}

/** Upgrade of an id; `not_found` if it was never proposed, since a draft about it would fail. */
async function proposed(services: NodeServices, id: Uint8Array): Promise<views.UpgradeView | LedgerError> {
  const { items } = await listOf(services)
  const found = items.find((one) => sameBytes(one.id, id))
  return (
    found ??
    new LedgerError('not_found', 'the upgrade does not exist', { hint: 'GET /v1/runtime/upgrades lists them.' })
  )
}

/**
 * `bad_value` if this release has the ABI with a different hash: a switch cannot be undone, and nodes of this release
 * would stop at it.
 */
function slipIn({ info }: NodeServices, { abiVersion, abiHash }: schema.UpgradeManifest): LedgerError | undefined {
  const own = info.supportedAbis.find(({ number }) => number === abiVersion)?.hash
  if (own === undefined || sameBytes(own, abiHash)) return undefined
  const [known, named] = [own, abiHash].map((hash) => Buffer.from(hash).toString('hex'))
  const detail = `abi_hash: ABI ${abiVersion} has the hash ${known} in the release of this node, not ${named}`
  return new LedgerError('bad_value', detail, { hint: 'GET /v1/runtime/abis lists the hashes.' })
}

/** Draft of one instruction about an upgrade. */
const draftOf = (input: Drafting, upgradeId: Uint8Array, drafted: Instruction) =>
  answerDraft(input, [drafted], () => ({ ok: true, upgradeId }))

const upgradeHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(RUNTIME.abi, ({ services: { info } }: Input) => ({
    value: {
      abiVersion: info.abi,
      abiHash: info.abiHash,
      features: info.abiFeatures,
      supportedAbis: info.supportedAbis.map(({ number }) => number),
    },
  })),
  handle(RUNTIME.abis, ({ services: { info } }: Input) => ({
    value: { items: info.supportedAbis.map(({ number, hash }) => ({ abiVersion: number, abiHash: hash })) },
  })),
  handle(RUNTIME.abiHash, ({ services: { info } }: Input) => ({ value: { policy: 'V1', abiHashHex: info.abiHash } })),
  handle(RUNTIME.metrics, async ({ services }: Input) => {
    const { items } = await listOf(services)
    const count = (status: views.UpgradeStatus): number => items.filter((one) => one.status === status).length
    const upgradeEventsTotal = {
      proposed: items.length,
      activated: count('activated'),
      canceled: count('cancelled'),
    }
    return { value: { abiVersion: services.info.abi, upgradeEventsTotal } }
  }),
  handle(RUNTIME.propose, (input: Input<undefined, schema.UpgradeManifest> & Drafting) => {
    const { body, services } = input
    const drafted = instruction(instructions.proposeUpgrade, { manifest: body })
    return slipIn(services, body) ?? draftOf(input, schema.upgradeId(body), drafted)
  }),
  handle(RUNTIME.activate, async (input: Input<IdPath> & Drafting) => {
    const { services, params } = input
    const found = await proposed(services, params.id)
    if (found instanceof LedgerError) return found
    const drafted = instruction(instructions.activateUpgrade, { id: params.id })
    return slipIn(services, found.manifest) ?? draftOf(input, params.id, drafted)
  }),
  handle(RUNTIME.cancel, async (input: Input<IdPath> & Drafting) => {
    const { services, params } = input
    const found = await proposed(services, params.id)
    if (found instanceof LedgerError) return found
    return draftOf(input, params.id, instruction(instructions.cancelUpgrade, { id: params.id }))
  }),
])

export const upgradeService = defineService(upgradeSchema, {
  open: () => ({ handlers: upgradeHandlers }),
})
