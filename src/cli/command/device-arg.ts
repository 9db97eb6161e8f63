/** Owns the argument of commands that are about one device. */
import { Args } from '@oclif/core'

export const deviceArg = {
  id: Args.string({ description: 'id of the device', required: true, ignoreStdin: true }),
}
