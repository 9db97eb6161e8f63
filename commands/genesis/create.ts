import { dirname, relative, resolve } from 'node:path'
import { Flags } from '@oclif/core'
import { definedFields } from '../../src/base/defined-fields.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { readKey } from '../../src/cli/settings/key.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { shellWord } from '../../src/cli/text/shell.js'

export default class GenesisCreate extends BaseCommand {
  static override description =
    `Write a genesis manifest from a template: the readable record that \`genesis sign\` signs.
Templates are in the folder genesis/; placeholders without a flag remain, and signing lists them.`
  static override examples = [
    '<%= config.bin %> genesis create --chain demo --topology topology.json --key-file genesis-key.json --account alice=cw1... --out genesis.json',
  ]
  static override flags = {
    chain: Flags.string({ description: 'chain id', required: true }),
    topology: Flags.string({ description: 'topology file', default: 'topology.json' }),
    template: Flags.string({
      aliases: ['from'],
      deprecateAliases: true,
      description: 'template: a name in genesis/ or a path',
      default: 'permissioned-4',
    }),
    account: Flags.string({
      description: 'NAME=ADDRESS of an account of the template; may be repeated',
      multiple: true,
    }),
    out: Flags.string({ description: 'path of the new manifest', default: 'genesis.json' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(GenesisCreate)
    const file = flags['key-file'] ?? process.env.CAUSEWAY_KEY_FILE
    if (file === undefined) throw usageError('the genesis key is missing', 'Give --key-file with an ed25519 key.')
    const pair = await readKey(file)
    const { newChainFault } = await import('../../src/model/index.js')
    const wrong = newChainFault(flags.chain)
    if (wrong !== undefined) throw usageError(`--chain ${JSON.stringify(flags.chain)}: ${wrong}`)
    const { keyView } = await import('../../src/cli/settings/key-view.js')
    const { accountsGiven } = await import('../../src/cli/setup/genesis-accounts.js')
    const { accountsOf, entryOf, fillTemplate, peerTexts, readBytes, readTopology, templatePath, writeNew } =
      await import('../../src/node/genesis/index.js')
    const template = templatePath(this.config.root, flags.template)
    const text = (await readBytes(template)).toString('utf8')
    const view = keyView(file, pair.publicKey, 'cw')
    // The account of the genesis key is the administrator unless a flag names another one.
    const accounts = {
      ...definedFields({ admin: view.address }),
      ...accountsGiven(flags.account ?? [], accountsOf(text)),
    }
    // Only templates that name keys of peers need the file now; signing reads it in any case.
    const peers = text.includes('{{peer_') ? peerTexts((await readTopology(flags.topology)).map(entryOf)) : {}
    const manifest = fillTemplate(text, template, {
      chain: flags.chain,
      genesisKey: view.public_key,
      topology: relative(dirname(resolve(flags.out)), resolve(flags.topology)),
      createdAtMs: Date.now(),
      accounts,
      peers,
    })
    await writeNew(flags.out, manifest)
    const missing = accountsOf(manifest)
    this.out.result({ file: flags.out, chain: flags.chain, missing_accounts: missing }, flags.out)
    if (missing.length > 0)
      this.out.note(`still to fill: ${missing.map((name) => `--account ${name}=ADDRESS`).join(' ')}`)
    this.out.hint(`Next: causeway genesis sign ${shellWord(flags.out)} --key-file ${shellWord(file)}`)
  }
}
