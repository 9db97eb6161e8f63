import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { PASSPHRASE_ENV } from '../../src/cli/settings/key.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { LedgerError } from '../../src/model/errors.js'

export default class GenesisSign extends BaseCommand {
  static override description =
    `Sign a genesis manifest with the genesis key, and write the genesis file for every node.
Prints the hash that every node pins in its configuration (genesis.hash).`
  static override examples = [
    '<%= config.bin %> genesis sign genesis.json --key-file genesis-key.json --out genesis.signed',
  ]
  static override args = { manifest: Args.string({ description: 'manifest', required: true, ignoreStdin: true }) }
  static override flags = { out: Flags.string({ description: 'path of the new file', default: 'genesis.signed' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GenesisSign)
    const file = flags['key-file'] ?? process.env.CAUSEWAY_KEY_FILE
    if (file === undefined) throw usageError('the genesis key is missing', 'Give --key-file.')
    const { readSigningKey } = await import('../../src/files/key-file.js')
    const key = await readSigningKey(file, process.env[PASSPHRASE_ENV])
    const { NEWEST_ABI } = await import('../../src/features/abi.js')
    const { signMessage } = await import('../../src/client/index.js')
    const { formatPublicKey } = await import('../../src/crypto/index.js')
    const { keyBytes } = await import('../../src/model/index.js')
    const { readManifest, writeGenesisFile } = await import('../../src/node/genesis/index.js')
    const { signGenesis } = await import('../../src/node/chain/genesis.js')
    const payload = await readManifest(args.manifest, { abi: NEWEST_ABI, nowMs: Date.now() })
    const wanted = formatPublicKey({ algorithm: 'ed25519', bytes: keyBytes(payload.genesisKey) })
    if (formatPublicKey(key.publicKey) !== wanted) {
      throw new LedgerError('genesis_invalid', `${file} is not the genesis key ${wanted} of the manifest`, {
        hint: 'Sign with that key, or set `genesis_key` to this one.',
      })
    }
    const signed = await signGenesis(NEWEST_ABI, payload, (message) => signMessage(key, message))
    await writeGenesisFile(flags.out, signed.bytes)
    const view = {
      file: flags.out,
      chain: payload.chain,
      hash: signed.hash.toString('hex'),
      state_root: Buffer.from(signed.genesis.header.stateRoot).toString('hex'),
      validators: payload.topology.filter((one) => one.role === 'validator').length,
    }
    this.out.result(
      view,
      pairs([
        ['file', view.file],
        ['chain', view.chain],
        ['genesis hash', view.hash],
      ]),
    )
  }
}
