import { Flags } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'
import { nameArg, readableName } from '../../src/cli/names/forms.js'

export default class NameResolve extends ReadCommand {
  static override description = `Show the account of a name, now or at a height, and write its proof.
A proof verifies offline with name verify.`
  static override examples = [
    '<%= config.bin %> name resolve pay.desk@bank',
    '<%= config.bin %> name resolve pay.desk@bank --proof p.json',
  ]
  static override args = nameArg
  static override flags = {
    at: Flags.integer({ description: 'height (default: the last one)', min: 1 }),
    proof: Flags.string({ description: 'file for the proof', helpValue: 'FILE' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameResolve)
    const texts = { params: { name: await readableName(args.name) }, query: { at: flags.at } }
    if (flags.proof !== undefined) {
      const { getJson, withGateway } = await import('../../src/cli/gateway/gateway.js')
      const { replaceFile } = await import('../../src/files/write-file.js')
      const settings = await this.settings(flags)
      const proof = await withGateway(settings, (client) => getJson(client, ({ names }) => names.proof, texts))
      await replaceFile(flags.proof, `${JSON.stringify(proof)}\n`)
      this.out.note(`the proof is in ${flags.proof}`)
    }
    const fields = {
      name: 'name',
      standing: 'standing',
      account: 'account',
      owner: 'owner',
      expires: 'expires_ms',
      height: 'height',
    }
    await this.showFields(flags, ({ names }) => names.name, texts, fields)
  }
}
