/** Owns votes of the council on the command line. */
import { Args } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import { instructions } from '../../features/gov/schema/instructions.js'
import type { Instruction } from '../../model/index.js'
import type { Drafting } from '../ledger/command.js'

export const agendaArg = {
  agenda: Args.string({ description: 'id of the agenda', required: true, ignoreStdin: true }),
}

/** Vote of the council on a subject in its JSON form. */
export function councilVote({ read }: Pick<Drafting, 'read'>, subject: Json): Instruction {
  return read(instructions.councilVote, { subject })
}
