/** Owns random requests about repos on a rich chain, cash against another asset, most of which succeed. */
import { agreements, calendars } from '../../src/features/repo/ledger/tables.js'
import { instructions as repos } from '../../src/features/repo/schema/instructions.js'
import type { LiveRepo } from '../../src/features/repo/schema/records.js'
import { businessDate, shift } from '../../src/ledger/business-days.js'
import { type AccountId, dateOfDay, type Instruction, instruction } from '../../src/model/index.js'
import type { Random } from '../../src/simulation/prng.js'
import type { Overlay } from '../../src/state/index.js'
import { keysIn } from './nodes.js'
import type { Asked } from './rich.js'

/** Chain state for the requests. */
export interface RepoWorld {
  readonly random: Random
  readonly state: Overlay
  readonly now: () => number
  readonly admin: AccountId
  readonly people: readonly AccountId[]
  readonly cash: string
  readonly collateral: string
}

const CALENDAR = 'desk'

/** Generators by instruction kind. */
export function repoMakers({ random, state, now, admin, people, cash, collateral }: RepoWorld) {
  const { pick } = random
  let proposed = 0
  const amount = (mantissa: number) => ({ mantissa: BigInt(mantissa), scale: 0 })
  const live = (...statuses: readonly LiveRepo['status'][]) => {
    const found = keysIn(state, agreements).flatMap((id) => {
      const row = state.get(agreements, id)
      return row?.kind === 'live' && statuses.includes(row.value.status) ? [{ id, repo: row.value }] : []
    })
    return found.length === 0 ? undefined : pick(found)
  }
  const about = (
    statuses: readonly LiveRepo['status'][],
    by: (repo: LiveRepo) => AccountId,
    make: (id: Uint8Array, repo: LiveRepo) => Instruction,
  ): Asked | undefined => {
    const found = live(...statuses)
    return found && [by(found.repo), make(found.id, found.repo)]
  }
  const asset = (most: number) => ({
    kind: 'asset' as const,
    value: { definition: collateral, amount: amount(1 + random.below(most)) },
  })
  const ofBuyer = ({ buyer }: LiveRepo) => buyer
  const ofSeller = ({ seller }: LiveRepo) => seller
  return {
    setBusinessCalendar: (): Asked => {
      const rules = {
        offsetMinutes: 0,
        cutoffMinute: random.below(1_440),
        weekend: pick([[], ['sat', 'sun'] as const]),
      }
      return [admin, instruction(repos.setBusinessCalendar, { calendar: CALENDAR, ...rules, holidays: [] })]
    },
    postRepoPrice: (): Asked => [
      pick(people),
      instruction(repos.postRepoPrice, { definition: collateral, cash, price: amount(1 + random.below(20)) }),
    ],
    proposeRepo: (): Asked | undefined => {
      const calendar = state.get(calendars, CALENDAR)
      if (calendar === undefined) return undefined
      const [seller, buyer] = [pick(people), pick(people)]
      const today = businessDate(calendar, now())
      proposed += 1
      return [
        pick([seller, buyer]),
        instruction(repos.proposeRepo, {
          reference: `R${proposed}`,
          sides: { seller, buyer, custodian: undefined },
          terms: {
            cash: { definition: cash, amount: amount(1 + random.below(1_000)) },
            collateral: [asset(100)],
            eligible: [{ definition: collateral, haircutPpm: random.below(100_000) }],
            ratePpm: random.below(100_000),
            basis: 'act360' as const,
            purchaseDate: dateOfDay(shift(calendar, today, pick([0, 0, 0, 1]))),
            repurchaseDate: dateOfDay(shift(calendar, today, 2)),
            calendar: CALENDAR,
            threshold: amount(0),
            minimumTransfer: amount(0),
            marginDays: 0,
            posters: people.slice(0, 3),
            priceMaxAgeMs: 86_400_000,
            graceMs: 0,
          },
        }),
      ]
    },
    withdrawRepo: () => about(['proposed', 'waiting'], ofSeller, (id) => instruction(repos.withdrawRepo, { id })),
    consentRepo: () =>
      about(
        ['proposed'],
        ({ seller, buyer, proposer }) => (proposer === seller ? buyer : seller),
        (id, { termsHash }) => instruction(repos.consentRepo, { id, termsHash }),
      ),
    callMargin: () => about(['open'], ofBuyer, (id) => instruction(repos.callMargin, { id })),
    meetMargin: () =>
      about(['open', 'late'], ofSeller, (id) =>
        instruction(repos.meetMargin, { id, items: [asset(1_000)], cash: amount(1 + random.below(1_000)) }),
      ),
    takeExcess: () =>
      about(['open'], ofSeller, (id) => instruction(repos.takeExcess, { id, items: [asset(3)], cash: undefined })),
    repurchaseRepo: () =>
      about(['open', 'late'], pick([ofSeller, ofBuyer]), (id) => instruction(repos.repurchaseRepo, { id })),
    defaultRepo: () => about(['open', 'late'], ofBuyer, (id) => instruction(repos.defaultRepo, { id })),
    closeOutRepo: () => about(['defaulted'], ofBuyer, (id) => instruction(repos.closeOutRepo, { id })),
  }
}
