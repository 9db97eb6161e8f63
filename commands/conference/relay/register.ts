import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as conferences } from '../../../src/features/conference/schema/instructions.js'

export default class ConferenceRelayRegister extends LedgerCommand {
  static override description =
    'Register the account of the key as a relay of a domain; repeat it to change its HPKE key.'
  static override examples = [
    '<%= config.bin %> conference relay register --domain bank --hpke-key 7f3a… --key-file relay.json',
  ]
  static override flags = {
    domain: Flags.string({ description: 'domain whose calls it relays', required: true }),
    'hpke-key': Flags.string({ description: 'public HPKE key (X25519): 64 hex digits', required: true }),
    'bandwidth-class': Flags.integer({ description: 'class from 1 to 255', default: 1, min: 1, max: 255 }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ConferenceRelayRegister)
    const { domain, 'hpke-key': key, 'bandwidth-class': bandwidthClass } = flags
    await this.send(flags, ({ address, read }) => [
      read(conferences.registerConferenceRelay, {
        relay_id: address,
        domain,
        hpke_public_key: key.toLowerCase(),
        bandwidth_class: bandwidthClass,
      }),
    ])
  }
}
