import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { table } from '../../src/cli/terminal/output.js'

export default class CodecSchema extends BaseCommand {
  static override description =
    `List the records of the codec, or show one: layout, schema hash, JSON Schema of its JSON form.`
  static override examples = ['<%= config.bin %> codec schema', '<%= config.bin %> codec schema Transfer --json']
  static override args = { type: Args.string({ description: 'name of a record', ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args } = await this.parse(CodecSchema)
    const { CODEC_TYPES, codecType } = await import('../../src/cli/chain/codec-types.js')
    const { clientCodec } = await import('../../src/features/composed.js')
    const { jsonSchemaRefs } = await import('../../src/codec/index.js')
    if (args.type === undefined) {
      const types = CODEC_TYPES.map(({ name, sort, id, schema }) => ({
        name,
        sort,
        id: id ?? null,
        schema_hash: schema.hash.toString('hex'),
      }))
      const rows = types.map(({ name, sort, id, schema_hash: hash }) => [
        name,
        sort,
        id === null ? '-' : String(id),
        hash,
      ])
      return this.out.result(types, table(['NAME', 'SORT', 'ID', 'SCHEMA HASH'], rows))
    }
    const { name, sort, schema } = codecType(args.type)
    const refs = jsonSchemaRefs(clientCodec('cw').registries)
    const body = schema.jsonSchema(refs)
    const view = {
      name,
      sort,
      schema_hash: schema.hash.toString('hex'),
      layout: schema.describe(),
      json_schema: { ...body, components: { schemas: Object.fromEntries(refs.components) } },
    }
    this.out.result(
      view,
      `${view.layout}\n\nschema hash  ${view.schema_hash}\n\n${JSON.stringify(view.json_schema, null, 2)}`,
    )
  }
}
