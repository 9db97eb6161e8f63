import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { callArg } from '../../../src/cli/conference/forms.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as conferences } from '../../../src/features/conference/schema/instructions.js'

export default class ConferenceManifestSet extends LedgerCommand {
  static override description =
    `Set the relays of a call, as its host: three or more, each with its registered key and a weight.
The file is JSON: {"hops": [{"relay_id", "hpke_public_key", "weight"}], "expiry_ms"}; a relay may be given by its alias.`
  static override examples = [
    '<%= config.bin %> conference manifest set bank:standup --relay-manifest relays.json --key-file alice.json',
  ]
  static override args = callArg
  static override flags = {
    'relay-manifest': Flags.string({
      description: 'file with the manifest, or - for standard input',
      required: true,
      helpValue: 'FILE',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceManifestSet)
    const { manifestJson } = await import('../../../src/cli/conference/forms.js')
    await this.send(flags, async ({ account, read }) => [
      read(conferences.setConferenceRelayManifest, {
        call: args.call,
        relay_manifest: await manifestJson(flags['relay-manifest'], account),
      }),
    ])
  }
}
