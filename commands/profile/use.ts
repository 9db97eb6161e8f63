import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { changeProfiles, profileOf, withoutToken } from '../../src/cli/settings/profiles.js'

export default class ProfileUse extends BaseCommand {
  static override description =
    'Make a profile the active one, used by commands unless a flag or a variable overrides it.'
  static override examples = ['<%= config.bin %> profile use bank-a']
  static override args = { name: Args.string({ description: 'name', required: true, ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args } = await this.parse(ProfileUse)
    const after = await changeProfiles((before) => {
      profileOf(before, args.name)
      return { ...before, active: args.name }
    })
    const profile = profileOf(after, args.name)
    this.out.result({ name: args.name, ...withoutToken(profile), active: true }, `${args.name} is active`)
  }
}
