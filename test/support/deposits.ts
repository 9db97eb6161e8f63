/**
 * Owns a test feature for shared mechanisms of features: escrowed deposits with a due payout, vaults, parts that may
 * fail, a count of blocks.
 */
import { bytes, bytesN, type Infer, numeric, option, string, struct, varint } from '../../src/codec/index.js'
import {
  type Abi,
  cancelRun,
  composeAbi,
  defineLedger,
  type ExecContext,
  type Feature,
  type Policies,
  type Rejection,
  reject,
  type Scheduled,
  scheduleRun,
} from '../../src/executor/index.js'
import { NEWEST_ABI } from '../../src/features/abi.js'
import * as features from '../../src/features/index.js'
import { findLot, type LotMove, moveLot } from '../../src/ledger/lots.js'
import { hold, payAgreed, release } from '../../src/ledger/moves.js'
import { closeVault, openVault, vaultOf } from '../../src/ledger/vaults.js'
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  assetId,
  defineEvents,
  defineInstructions,
  type LedgerSchema,
  lotId,
  range,
} from '../../src/model/index.js'
import type { TableDef } from '../../src/state/index.js'

const FEATURE = 'deposits'
const { first: BASE } = range(97)

const deposit_ = struct('Deposit', {
  key: bytesN(32),
  asset: assetId,
  amount: numeric,
  /** Creditor and due time; without a due time it is paid by PayDeposit. */
  to: accountId,
  dueMs: option(varint),
})
export interface Deposit extends Infer<typeof deposit_> {}
const deposits: TableDef<Uint8Array, Deposit> = {
  id: BASE,
  name: 'deposits',
  bound: { holds: 'one deposit', filledBy: 'tests', atBound: 'leaves when it is paid' },
  key: bytesN(32),
  value: deposit_,
}
export const blockCount: TableDef<string, number> = {
  id: BASE + 1,
  name: 'deposit_blocks',
  bound: { holds: 'a count', filledBy: 'blocks', atBound: 'one row' },
  key: string(1),
  value: varint,
}

const byKey = struct('DepositKey', { key: bytesN(32) })
const vault = struct('DepositVault', { key: bytesN(32), definition: assetDefinitionId })
const moved = struct('DepositMove', {
  key: bytesN(32),
  definition: assetDefinitionId,
  other: accountId,
  amount: numeric,
})
const pledge = { key: bytesN(32), lot: lotId, quantity: option(numeric) }
export const { depositPaid } = defineEvents({
  depositPaid: { id: BASE, record: { key: bytes(32), failed: option(string(64)) } },
})
export const deposit = defineInstructions({
  makeDeposit: { id: BASE, label: 'deposit::make', record: deposit_ },
  payDeposit: { id: BASE + 1, label: 'deposit::pay', record: byKey },
  returnDeposit: { id: BASE + 2, label: 'deposit::return', record: byKey },
  openDepositVault: { id: BASE + 3, label: 'deposit::open', record: vault },
  closeDepositVault: { id: BASE + 4, label: 'deposit::close', record: byKey },
  fillVault: { id: BASE + 5, label: 'deposit::fill', record: moved },
  emptyVault: { id: BASE + 6, label: 'deposit::empty', record: moved },
  pledgeLot: { id: BASE + 7, label: 'deposit::pledge_lot', record: pledge },
  returnLot: { id: BASE + 8, label: 'deposit::return_lot', record: { ...pledge, to: accountId } },
})

const schema = {
  name: FEATURE,
  version: 1,
  ids: [range(97)],
  errors: {},
  instructions: deposit,
  events: { depositPaid },
  queries: {},
  parameters: [],
} satisfies LedgerSchema

const escrow = (key: Uint8Array) => ({ feature: FEATURE, key })

/** Pay out a deposit; a failed part is recorded, and the deposit stays. */
function payOut(ctx: ExecContext, key: Uint8Array): Rejection | undefined {
  const row = ctx.get(deposits, key)
  if (row === undefined) return reject('absent', 'there is no such deposit')
  const { asset, to, amount } = row
  return (
    release(ctx, { ...escrow(key), definition: asset.definition }, { payer: asset.account, to, amount }) ??
    end(ctx, key)
  )
}

function end(ctx: ExecContext, key: Uint8Array): undefined {
  ctx.delete(deposits, key)
  ctx.emit(depositPaid, { key, failed: undefined })
  return undefined
}

/** Run of the payout. `behaviour` lets a test make it fail. */
export const behaviour: {
  run: ((ctx: ExecContext, key: Uint8Array) => Rejection | undefined) | undefined
  end: ((ctx: ExecContext) => Rejection | undefined) | undefined
} = { run: undefined, end: undefined }
export const payout: Scheduled<Uint8Array> = {
  kind: 'deposit_payout',
  key: bytesN(32),
  paidBy: 'owner',
  teu: 100,
  maxTeu: 5_000,
  run: (ctx, key) => (behaviour.run ?? payOut)(ctx, key),
}
export const audit: Scheduled<Uint8Array> = {
  kind: 'deposit_audit',
  key: bytesN(32),
  paidBy: 'chain',
  teu: 100,
  maxTeu: 50_000,
  run: (ctx, key) => (behaviour.run === undefined ? end(ctx, key) : behaviour.run(ctx, key)),
}

/** Move a lot into or out of a vault. */
function movedLot(ctx: ExecContext, lot: string, move: LotMove): Rejection | undefined {
  const found = findLot(ctx, lot)
  if ('code' in found) return found
  const moved = moveLot(ctx, found, move, { isVaultOpen: true })
  return typeof moved === 'string' ? undefined : moved
}

const cost = { base: 100 }
const ledger = (policies: Policies) =>
  defineLedger(schema, {
    tables: [deposits, blockCount],
    execute: {
      makeDeposit: {
        cost,
        execute(ctx, value) {
          const { key, asset, amount, dueMs } = value
          if (ctx.authority !== asset.account) return reject('not_permitted', 'a deposit is for who pays it')
          if (ctx.has(deposits, key)) return reject('exists', 'there is such a deposit')
          const held = hold(ctx, escrow(key), asset, amount)
          if (held !== undefined) return held
          ctx.set(deposits, key, value)
          const due = dueMs === undefined ? 0 : scheduleRun(ctx, payout, key, { owner: ctx.authority, dueMs })
          return typeof due === 'number' ? undefined : due
        },
      },
      payDeposit: { cost, execute: (ctx, { key }) => payOut(ctx, key) },
      returnDeposit: {
        cost,
        // A refused return emits an event, and the deposit stays.
        execute(ctx, { key }) {
          const row = ctx.get(deposits, key)
          if (row === undefined) return reject('absent', 'there is no such deposit')
          const { asset, amount } = row
          const place = { ...escrow(key), definition: asset.definition }
          const failed = ctx.fork(
            (part) => release(part, place, { payer: asset.account, to: asset.account, amount }) ?? end(part, key),
          )
          if (failed === undefined) cancelRun(ctx, payout, key)
          else ctx.emit(depositPaid, { key, failed: failed.code })
          return undefined
        },
      },
      openDepositVault: {
        cost,
        execute(ctx, { key, definition }) {
          const opened = openVault(ctx, { feature: FEATURE, key, definition, beneficiary: ctx.authority })
          return typeof opened === 'string' ? undefined : opened
        },
      },
      closeDepositVault: { cost, execute: (ctx, { key }) => closeVault(ctx, { feature: FEATURE, key }) },
      fillVault: {
        cost,
        execute: (ctx, { key, definition, other, amount }) =>
          payAgreed(
            ctx,
            { asset: { definition, account: other }, to: vaultOf({ feature: FEATURE, key }), amount },
            { isVaultOpen: true },
          ),
      },
      emptyVault: {
        cost,
        execute: (ctx, { key, definition, other, amount }) =>
          payAgreed(
            ctx,
            { asset: { definition, account: vaultOf({ feature: FEATURE, key }) }, to: other, amount },
            { isVaultOpen: true },
          ),
      },
      pledgeLot: {
        cost,
        execute: (ctx, { key, lot, quantity }) => movedLot(ctx, lot, { to: depositVault(key), quantity }),
      },
      returnLot: { cost, execute: (ctx, { lot, quantity, to }) => movedLot(ctx, lot, { to, quantity }) },
    },
    queries: {},
    permissions: [],
    scheduled: [payout, audit],
    endOfBlock: {
      maxTeu: 1_000,
      run(ctx) {
        if (behaviour.end !== undefined) return behaviour.end(ctx)
        ctx.set(blockCount, '', (ctx.get(blockCount, '') ?? 0) + 1)
        return undefined
      },
    },
    policies,
  })

/** True for a feature that provides a policy of the test feature. */
const decidesToo = ({ policies: own }: Feature, policies: Policies): boolean =>
  Object.keys(policies).some((policy) => policy in own)

/** ABI of this release with the test feature. */
export const depositAbi = (policies: Policies = {}): Abi =>
  composeAbi(NEWEST_ABI.number, [
    ...Object.values(features).filter((one) => !decidesToo(one, policies)),
    ledger(policies),
  ])
export const DEPOSIT_ABI: Abi = depositAbi()
export const depositVault = (key: Uint8Array): AccountId => vaultOf({ feature: FEATURE, key })
export const escrowOf = (key: Uint8Array, definition: string) => ({ ...escrow(key), definition })
/** Key of a number. */
export const depositKey = (index: number): Buffer => {
  const key = Buffer.alloc(32)
  key.writeUInt32BE(index, 28)
  return key
}
