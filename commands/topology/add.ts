import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { readKey } from '../../src/cli/settings/key.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { counted } from '../../src/cli/terminal/output.js'
import { LedgerError } from '../../src/model/errors.js'

export default class TopologyAdd extends BaseCommand {
  static override description =
    `Add a peer to a topology file: by the card that its host created (\`causeway init\`), or from key files of this host.
A card is checked: its signature, its keys, its proof of possession.`
  static override examples = [
    '<%= config.bin %> topology add bank-a/card.json',
    '<%= config.bin %> topology add val-0 --key-file keys/validator.json --network-key keys/network.json --address val-0.example:7400',
  ]
  static override args = {
    peer: Args.string({ description: 'a card, or the name of a peer', required: true, ignoreStdin: true }),
  }
  static override flags = {
    file: Flags.string({ description: 'topology file', default: 'topology.json' }),
    'network-key': Flags.string({ description: 'without a card: key file or public key (ed0120...) of the links' }),
    address: Flags.string({ description: 'without a card: host:port of the links; may be repeated', multiple: true }),
    observer: Flags.boolean({ description: 'without a card: the peer does not vote' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TopologyAdd)
    const { changeEntries, readEntries } = await import('../../src/cli/setup/topology-file.js')
    const isCard = args.peer.endsWith('.json')
    if (isCard && (flags['network-key'] !== undefined || flags.address !== undefined || flags.observer)) {
      throw usageError('a card contains all of it: omit --network-key, --address, --observer')
    }
    // Before anybody is asked for a passphrase.
    await readEntries(flags.file)
    const { readPeerCard } = await import('../../src/node/genesis/index.js')
    const entry = isCard ? await readPeerCard(args.peer) : await this.fromKeys(args.peer, flags)
    const { length } = await changeEntries(flags.file, (entries) => {
      const duplicate = entries.find(
        (one) => one.name === entry.name || one.key === entry.key || one.network_key === entry.network_key,
      )
      if (duplicate !== undefined) {
        throw new LedgerError(
          'topology_invalid',
          `${flags.file}: ${String(duplicate.name)} already has this name or key`,
        )
      }
      return [...entries, { ...entry }]
    })
    this.out.result(entry, `${flags.file}: added ${entry.name}, ${counted(length, 'peer')}`)
  }

  private async fromKeys(
    name: string,
    flags: {
      readonly 'key-file'?: string | undefined
      readonly 'network-key'?: string | undefined
      readonly address?: string[] | undefined
      readonly observer: boolean
    },
  ) {
    const validatorFile = flags['key-file'] ?? process.env.CAUSEWAY_KEY_FILE
    const { 'network-key': networkKey, address: addresses = [] } = flags
    if (validatorFile === undefined) throw usageError('the validator key is missing', 'Give --key-file, or a card.')
    if (networkKey === undefined) throw usageError('the network key is missing', 'Give --network-key, or a card.')
    if (addresses.length === 0) throw usageError('the address of the peer is missing', 'Give --address, or a card.')
    const { parsePublicKey } = await import('../../src/crypto/keys.js')
    const { parseHostPort } = await import('../../src/node/config/index.js')
    const { newEntry } = await import('../../src/node/genesis/index.js')
    for (const address of addresses) {
      if (parseHostPort(address) === undefined) throw usageError(`--address ${address}: expected host:port`)
    }
    return newEntry({
      name,
      validator: await readKey(validatorFile),
      network: parsePublicKey(networkKey) ?? (await readKey(networkKey)).publicKey,
      addresses,
      role: flags.observer ? 'observer' : 'validator',
    })
  }
}
