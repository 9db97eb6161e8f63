/** Owns the enactment of a list: as the governance account, all or nothing, and above the floor. */
import { addressPrefixOf } from '../../../executor/addresses.js'
import type { ExecContext, Rejection } from '../../../executor/contract.js'
import { storedList } from '../../../executor/stored-lists.js'
import type { Instruction } from '../../../model/index.js'
import { GOV_ACCOUNT } from './account.js'
import { closeProposal } from './due.js'
import { listTeu } from './lists.js'
import { contentPages, contents, type Referendum } from './tables.js'

/** Units reserved for the record of an attempt. */
const RECORD_TEU = 1_000
/** Failed attempt: its rejection, and the recorded error. */
export interface FailedEnactment {
  readonly rejection: Rejection
  readonly error: NonNullable<Referendum['error']>
}

/** Instructions of a proposal; reading them is metered. */
function contentOf(ctx: ExecContext, number: number): readonly Instruction[] | Rejection {
  const row = ctx.get(contents, number)
  if (row === undefined) throw new Error(`proposal ${number} has no content`)
  const codec = ctx.abi.codec(addressPrefixOf(ctx))
  return storedList(ctx, { pages: contentPages, of: number, row, codec, purse: ctx })
}

/**
 * Run a list as the governance account, with the check of its outcome (outcome.ts). `onRejected` gets the position of a
 * failed instruction.
 */
export const runList = (
  ctx: ExecContext,
  instructions: readonly Instruction[],
  onRejected: (position: number) => void,
): Rejection | undefined => ctx.runStored({ authority: GOV_ACCOUNT, instructions, by: 'proposal', onRejected })

/**
 * Enact the list of an approved proposal; a failed attempt has no effects. The proposal already has the status
 * `enacted` while the list runs.
 */
export function attemptEnactment(ctx: ExecContext, number: number, row: Referendum): FailedEnactment | undefined {
  const list = contentOf(ctx, number)
  if ('code' in list) return failedBy(ctx, list, undefined)
  let position: number | undefined
  const rejection = ctx.forkWithin({ max: listTeu(ctx), kept: RECORD_TEU }, (part) => {
    closeProposal(part, number, row, 'enacted')
    return runList(part, list, (at) => {
      position = at
    })
  })
  return rejection && failedBy(ctx, rejection, position)
}

const failedBy = (ctx: ExecContext, rejection: Rejection, position: number | undefined): FailedEnactment => ({
  rejection,
  error: { code: ctx.abi.errorNumbers.get(rejection.code) ?? 0, position },
})
