import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { yesFlag } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { nameArg, nameOf } from '../../src/cli/names/forms.js'

export default class NameRegister extends BaseCommand {
  static override description = `Lease a name: commit, wait for 5 seconds, and register.
The salt of the commitment is on the disk before the commitment is sent. After an interruption, --resume continues
the registration, and nothing is paid twice.`
  static override examples = [
    '<%= config.bin %> name register desk@bank --years 1 --key-file alice.json',
    '<%= config.bin %> name register desk@bank --resume --key-file alice.json',
  ]
  static override args = nameArg
  static override flags = {
    years: Flags.integer({ description: 'years of the lease', default: 1, min: 1, max: 5 }),
    account: accountFlag({ description: 'account that the name resolves to (default: the one of the key)' }),
    'max-price': Flags.string({ description: 'most that is paid (default: the price now)' }),
    resume: Flags.boolean({ description: 'continue a registration that was interrupted' }),
    ...yesFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameRegister)
    const { registerName } = await import('../../src/cli/names/registration.js')
    const settings = await this.settings(flags)
    const { years, account, resume } = flags
    await registerName(
      { settings, out: this.out, silent: this.silent },
      { name: await nameOf(args.name), years, account, maxPrice: flags['max-price'], resume, asking: flags },
    )
  }
}
