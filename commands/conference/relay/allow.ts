import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { accountFlag } from '../../../src/cli/input/texts.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as conferences } from '../../../src/features/conference/schema/instructions.js'

export default class ConferenceRelayAllow extends LedgerCommand {
  static override description =
    'Set the complete list of relays that a domain allows, as its owner; --any removes the list.'
  static override examples = [
    '<%= config.bin %> conference relay allow bank --relay relay1@bank --relay relay2@bank --key-file admin.json',
    '<%= config.bin %> conference relay allow bank --any --key-file admin.json',
  ]
  static override args = { domain: Args.string({ description: 'domain', required: true, ignoreStdin: true }) }
  static override flags = {
    relay: accountFlag({ description: 'allowed relay; may be repeated', multiple: true, exclusive: ['any'] }),
    any: Flags.boolean({ description: 'remove the list: allow every registered relay' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceRelayAllow)
    const { usageError } = await import('../../../src/cli/terminal/failure.js')
    if (!flags.any && flags.relay === undefined) throw usageError('give the relays with --relay, or give --any')
    await this.send(flags, async ({ account, read }) => {
      const relays: string[] = []
      for (const relay of flags.relay ?? []) relays.push(await account(relay))
      return [read(conferences.setConferenceRelayAllowList, { domain: args.domain, relays: flags.any ? null : relays })]
    })
  }
}
