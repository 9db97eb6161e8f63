import { writeFlags } from '../../../src/cli/command/flags.js'
import { callArg } from '../../../src/cli/conference/forms.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as conferences } from '../../../src/features/conference/schema/instructions.js'

export default class ConferenceManifestRemove extends LedgerCommand {
  static override description = 'Remove the relays of a call, as its host.'
  static override examples = ['<%= config.bin %> conference manifest remove bank:standup --key-file alice.json']
  static override args = callArg
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceManifestRemove)
    await this.send(flags, ({ read }) => [
      read(conferences.setConferenceRelayManifest, { call: args.call, relay_manifest: null }),
    ])
  }
}
