/** Owns random requests about names on a rich chain whose domain `meet` leases them, most of which succeed. */
import { names as nameTable, policies } from '../../src/features/names/ledger/tables.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'
import { commitmentOf, DEFAULT_POLICY, type NameRow } from '../../src/features/names/schema/records.js'
import { aliases } from '../../src/ledger/tables.js'
import { type AccountId, instruction, type NameId, nameText } from '../../src/model/index.js'
import type { Random } from '../../src/simulation/prng.js'
import type { Overlay } from '../../src/state/index.js'
import { keysIn } from './nodes.js'
import type { Asked } from './rich.js'

/** Chain state for the requests. */
export interface NameWorld {
  readonly random: Random
  readonly state: Overlay
  readonly chain: string
  readonly now: () => number
  readonly admin: AccountId
  readonly people: readonly AccountId[]
  readonly asset: string
}

const DOMAIN = 'meet'
const LABELS = ['desk', 'd3sk', 'de-sk', 'cash', 'c4sh', 'abc', 'rnode', 'mode']

/** Generators by instruction kind. */
export function nameMakers({ random, state, chain, now, admin, people, asset }: NameWorld) {
  const { pick } = random
  const committed: { readonly by: AccountId; readonly label: string; readonly salt: Buffer }[] = []
  const person = (): AccountId => pick(people)
  const amount = (mantissa: number) => ({ mantissa: BigInt(mantissa), scale: 0 })
  const some = (isMeant: (row: NameRow) => boolean): { readonly name: NameId; readonly row: NameRow } | undefined => {
    const found = keysIn(state, nameTable).flatMap((name) => {
      const row = state.get(nameTable, name)
      return row !== undefined && isMeant(row) ? [{ name, row }] : []
    })
    return found.length === 0 ? undefined : pick(found)
  }
  const leased = () => some(({ kind }) => kind === 'leased')
  const held = () => some(({ kind }) => kind !== 'assigned')
  const ofHeld = (make: (text: string, row: NameRow) => Asked[1]): Asked | undefined => {
    const found = held()
    return found && [found.row.owner, make(nameText(found.name), found.row)]
  }
  return {
    setNamePolicy: (): Asked => {
      const version = (state.get(policies, DOMAIN)?.version ?? 0) + 1
      const prices = [9, 4, 1].map(amount)
      const policy = { ...DEFAULT_POLICY, mode: 'leased' as const, asset, prices }
      return [admin, instruction(names.setNamePolicy, { domain: DOMAIN, policy, version })]
    },
    commitName: (): Asked => {
      const [by, label, salt] = [person(), pick(LABELS), Buffer.alloc(32, random.below(200))]
      committed.push({ by, label, salt })
      const commitment = commitmentOf({ chain, account: by, name: { domain: DOMAIN, label }, owner: by, salt })
      return [by, instruction(names.commitName, { commitment })]
    },
    registerName: (): Asked | undefined => {
      const made = committed.at(-1 - random.below(6))
      if (made === undefined) return undefined
      const { by, label, salt } = made
      const value = { domain: DOMAIN, label, owner: by, account: undefined, years: 1 + random.below(5), salt }
      return [by, instruction(names.registerName, { ...value, maxPrice: undefined })]
    },
    renewName: (): Asked | undefined => {
      const found = leased()
      const value = { years: 1 + random.below(3), maxPrice: { definition: asset, amount: amount(1_000) } }
      return found && [person(), instruction(names.renewName, { ...value, name: nameText(found.name) })]
    },
    transferName: () => ofHeld((name) => instruction(names.transferName, { names: [name], to: person() })),
    setNameAccount: () => ofHeld((name) => instruction(names.setNameAccount, { name, account: person() })),
    setNameRecords: () =>
      ofHeld((name) =>
        instruction(names.setNameRecords, {
          name,
          set: [
            { key: 'asset', value: asset },
            { key: 'text:url', value: random.chance(0.7) ? 'x'.repeat(random.below(513)) : undefined },
          ],
        }),
      ),
    setNameManager: () =>
      ofHeld((name) => instruction(names.setNameManager, { name, manager: random.chance(0.8) ? person() : undefined })),
    setPrimaryName: (): Asked | undefined => {
      const found = held()
      const account = found && state.get(aliases, found.name)
      if (found === undefined || account === undefined) return undefined
      const name = random.chance(0.8) ? nameText(found.name) : undefined
      return [account, instruction(names.setPrimaryName, { name })]
    },
    createSubname: () =>
      ofHeld((parent) =>
        instruction(names.createSubname, {
          parent,
          label: pick(['pay', 'in', 'out']),
          owner: person(),
          account: undefined,
          expiresMs: random.chance(0.3) ? now() + 5_000 : undefined,
        }),
      ),
    removeSubname: (): Asked | undefined => {
      const found = some(({ kind }) => kind === 'sub')
      return found && [found.row.owner, instruction(names.removeSubname, { name: nameText(found.name) })]
    },
    releaseName: (): Asked | undefined => {
      const found = leased()
      return found && [found.row.owner, instruction(names.releaseName, { name: nameText(found.name) })]
    },
    pruneName: (): Asked | undefined => {
      const found = held()
      return found && [person(), instruction(names.pruneName, { name: nameText(found.name) })]
    },
    reserveNames: (): Asked => {
      const label = pick([...LABELS, 'kept'])
      const add = [{ label, assignee: person(), untilMs: now() + 10_000, reason: 'kept' }]
      const domain = random.chance(0.7) ? DOMAIN : undefined
      return [admin, instruction(names.reserveNames, { domain, add, remove: [pick(LABELS)] })]
    },
    assertAliases: (): Asked | undefined => {
      const found = held()
      const account = found && state.get(aliases, found.name)
      if (found === undefined || account === undefined) return undefined
      const target = { kind: 'account' as const, value: account }
      return [person(), instruction(names.assertAliases, { items: [{ text: nameText(found.name), target }] })]
    },
  }
}
