/** Owns a ledger with two restricted dataspaces for tests: guests, an operator, and short forms of manifests. */
import type { Abi } from '../../src/executor/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { instructions as domains } from '../../src/features/domains/schema.js'
import { instructions as lanes } from '../../src/features/lanes/schema/instructions.js'
import { instructions as spaces } from '../../src/features/spaces/schema/instructions.js'
import type { SpaceEntry } from '../../src/features/spaces/schema/records.js'
import { type AccountId, type Instruction, instruction, multisigAccount, NO_METADATA } from '../../src/model/index.js'
import type { RowReader } from '../../src/state/index.js'
import { entry as entrypoint, handwritten, manifestOf } from './contracts.js'
import * as core from './core.js'
import { accountNamed, Bench } from './executor.js'
import { laneSpecOf, updateLanes } from './lanes.js'
import type { NaiveEntry, NaivePublication } from './naive-spaces.js'

export const { owner, alice, bob, outsider } = core
/** Account at home in dataspace 9. */
export const carol = accountNamed('carol')
export const DEPOT = 7n
export const BOND = 'bond#depot'
export const NOTE = 'note#depot'
export const GOLD = 'gold#annex'
/** Policy of one of two: proposals of alice run at once. */
export const POLICY = core.policyOf(
  [
    [alice, 1],
    [outsider, 1],
  ],
  1,
)
export const firm = multisigAccount(POLICY)
export const START_MS = 1_760_000_000_000
const HELD = 1_000_000n

const dataspace = (id: bigint, alias: string, restricted: boolean) => ({
  id,
  alias,
  restricted,
  faultTolerance: 1,
  relayers: [],
})
/** The universal dataspace, 7 (`depot`) and 9 (`annex`). */
export const SPACES = [dataspace(0n, 'universal', false), dataspace(DEPOT, 'depot', true), dataspace(9n, 'annex', true)]
export const setDataspaces = (...dataspaces: readonly ReturnType<typeof dataspace>[]): Instruction =>
  instruction(lanes.setDataspaces, { dataspaces })
export const BOTH = setDataspaces(...SPACES)

/** Contract that accepts attached assets. */
const CODE = handwritten({ keep: [] })
export const CONTRACT = {
  code: CODE,
  manifest: manifestOf(CODE, [entrypoint('keep', 'public', {}, { payable: true })]),
}

/** Bob belongs to the depot, carol to the annex, all others to the bank; every account has all assets. */
export function spaceBench(parent?: RowReader, abi: Abi = ABI_2): Bench {
  const bench = new Bench(parent, abi)
  bench.timeMs = START_MS
  return bench
}
export function spaceWorld(abi?: Abi): Bench {
  const bench = spaceBench(undefined, abi)
  const register = (id: string, space: bigint): Instruction =>
    instruction(domains.registerDomain, { id, dataspace: space, metadata: NO_METADATA })
  bench.genesis(
    owner,
    BOTH,
    updateLanes({ add: [laneSpecOf(1, { dataspace: DEPOT }), laneSpecOf(2, { dataspace: 9n })] }),
    core.registerDomain('bank'),
    register('depot', DEPOT),
    register('annex', 9n),
    ...[owner, alice, outsider].map((id) => core.registerAccount(id)),
    core.registerAccount(bob, undefined, 'depot'),
    core.registerAccount(carol, undefined, 'annex'),
    core.registerMultisig(POLICY),
    ...[core.USD, BOND, NOTE, GOLD].map((id) => core.registerDefinition(id)),
    ...[alice, bob, carol, outsider, firm].flatMap((id) =>
      [core.USD, BOND, NOTE, GOLD].map((definition) => core.mint(id, HELD, definition)),
    ),
    ...['7', '9'].map((space) => core.permission('grant', 'CanPublishManifests', space, owner)),
  )
  return bench
}

const option = <T>(value: T | undefined): T | undefined => value

/** Ledger entry of a short form. */
export const entryOf = ({
  instruction: label,
  definition,
  counterparty,
  isDenial,
  max,
  window,
}: NaiveEntry): SpaceEntry => ({
  scope: { instruction: option(label), definition: option(definition), counterparty: option(counterparty) },
  effect: isDenial
    ? { kind: 'deny', value: { reason: undefined } }
    : { kind: 'allow', value: { maxAmount: max === undefined ? undefined : core.units(max), window: option(window) } },
  notes: undefined,
})

export const publish = ({ space, account, version, from, until, entries }: NaivePublication): Instruction =>
  instruction(spaces.publishManifest, {
    dataspace: BigInt(space),
    account,
    version,
    activeFromMs: option(from),
    expiresMs: option(until),
    entries: entries.map(entryOf),
  })
export const revoke = (space: number, account: AccountId, reason = 'done'): Instruction =>
  instruction(spaces.revokeManifest, { dataspace: BigInt(space), account, reason })
export const expire = (space: number, account: AccountId): Instruction =>
  instruction(spaces.expireManifest, { dataspace: BigInt(space), account })
export const pay = (from: AccountId, to: AccountId, amount: bigint, definition = BOND): Instruction =>
  core.transfer(from, to, amount, definition)
