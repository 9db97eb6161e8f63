/** One declaration per record: what a struct of the codec says is not said again by an interface of the same file. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** Sorted names, as one text. */
const joined = (names: readonly string[]): string => [...names].sort().join()

/** Interfaces of a source that have the very fields of a struct in it. */
function twins(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const structs = new Set<string>()
  const interfaces: { readonly name: string; readonly fields: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'struct') {
      const [, fields] = node.arguments
      if (fields !== undefined && ts.isObjectLiteralExpression(fields)) {
        structs.add(joined(fields.properties.map(({ name }) => name?.getText(source) ?? '...')))
      }
    }
    if (ts.isInterfaceDeclaration(node) && node.typeParameters === undefined && node.members.length > 0) {
      interfaces.push({
        name: node.name.text,
        fields: joined(node.members.map(({ name }) => name?.getText(source) ?? '')),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return interfaces.filter(({ fields }) => structs.has(fields)).map(({ name }) => `${path}: ${name}`)
}

async function sources(): Promise<string[]> {
  const files = await readdir('src', { recursive: true, withFileTypes: true })
  return files.filter((one) => one.isFile() && /\.tsx?$/.test(one.name)).map((one) => join(one.parentPath, one.name))
}

it('no interface repeats a struct', async () => {
  const found: string[] = []
  for (const path of await sources()) found.push(...twins(path, await readFile(path, 'utf8')))
  expect(found).toEqual([])
})

it('which the search above finds', () => {
  const text = "interface Vote { readonly height: number }\nconst vote = struct('Vote', { height: varint })"
  expect(twins('vote.ts', text)).toEqual(['vote.ts: Vote'])
})

it('casts that the compiler cannot check stand in the codec alone', async () => {
  const found: string[] = []
  for (const path of await sources()) {
    if (!path.startsWith(join('src', 'codec')) && (await readFile(path, 'utf8')).includes('as unknown as'))
      found.push(path)
  }
  expect(found).toEqual([])
})
