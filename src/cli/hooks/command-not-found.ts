/** Owns the hook that oclif calls for a command that does not exist. */
import type { Hook } from '@oclif/core'
import { endWith, unknownCommand } from '../command/unknown-command.js'

/** Ends the program with exit code 2. Registered in package.json as the hook `command_not_found`. */
export const commandNotFound: Hook.CommandNotFound = async ({ id, argv = [], config }) =>
  endWith(unknownCommand(config, id), argv)
