/** Owns the hook of oclif for a command that does not exist. */
import type { Hook } from '@oclif/core'
import { runRenamed } from '../command/renamed.js'
import { endWith, unknownCommand } from '../command/unknown-command.js'

/**
 * Run a command by its former name, or end the program with exit code 2. Registered in package.json as the hook
 * `command_not_found`.
 */
export const commandNotFound: Hook.CommandNotFound = async ({ id, argv = [], config }) => {
  if (await runRenamed(config, process.argv.slice(2))) return
  endWith(unknownCommand(config, id), argv)
}
