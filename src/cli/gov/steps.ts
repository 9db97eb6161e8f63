/** Owns the commands that make a step of a proposal, which a run of the chain may have made before them. */
import type { Instruction } from '../../model/index.js'
import { LedgerError } from '../../model/index.js'
import { getView, withGateway } from '../gateway/gateway.js'
import { type Drafting, LedgerCommand } from '../ledger/command.js'
import { statusText } from './show.js'

/** Statuses of a proposal whose vote was counted. */
export const AFTER_VOTE: ReadonlySet<string> = new Set(['approved', 'enacted', 'rejected', 'expired', 'failed'])
/** Status of a proposal whose list was executed. */
export const AFTER_ENACTMENT: ReadonlySet<string> = new Set(['enacted'])

/**
 * Status of a proposal whose step was made before; rethrows the error if it is not `not_due`, or if the step was not
 * made.
 */
export async function madeBefore(
  error: unknown,
  made: ReadonlySet<string>,
  readStatus: () => Promise<string>,
): Promise<string> {
  if (!(error instanceof LedgerError) || error.code !== 'not_due') throw error
  const status = await readStatus()
  if (!made.has(status)) throw error
  return status
}

/** Base class of commands that make a step. They succeed if it was made before, because steps run automatically. */
export abstract class StepCommand extends LedgerCommand {
  /** Send the instruction of a step; `made`: statuses in which the step is made. */
  protected async makeStep(
    flags: Parameters<LedgerCommand['send']>[0],
    proposal: number,
    made: ReadonlySet<string>,
    make: (drafting: Drafting) => readonly Instruction[],
  ): Promise<void> {
    try {
      await this.send(flags, make)
    } catch (error) {
      const settings = await this.settings(flags)
      const status = await madeBefore(error, made, () =>
        withGateway(settings, async (client) =>
          statusText(await getView(client, ({ gov }) => gov.referendum, { params: { id: String(proposal) } })),
        ),
      )
      this.out.result({ proposal, status }, `proposal ${proposal} is already ${status}; its step was made before`)
    }
  }
}
