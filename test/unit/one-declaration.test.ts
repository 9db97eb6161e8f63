/** One declaration per record: what a struct of the codec says is not said again by an interface of the same file. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** Sorted names, as one text. */
const joined = (names: readonly string[]): string => [...names].sort().join()

/** Interfaces of a source that have the very fields of a struct in it, what both take from others of the file counted in. */
function duplicatesOf(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const constants = new Map<string, ts.ObjectLiteralExpression>()
  const interfaces = new Map<string, ts.InterfaceDeclaration>()
  const structs: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isObjectLiteralExpression(node.initializer)) {
      constants.set(node.name.getText(source), node.initializer)
    }
    if (ts.isInterfaceDeclaration(node)) interfaces.set(node.name.text, node)
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'struct') {
      const [, fields] = node.arguments
      if (fields !== undefined) structs.push(fields)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)

  /** Spread values from elsewhere count as one name, `...` and their text: never a field of an interface. */
  const fieldsOf = (expression: ts.Expression): string[] => {
    const literal = ts.isIdentifier(expression) ? constants.get(expression.text) : expression
    if (literal === undefined || !ts.isObjectLiteralExpression(literal)) return [`...${expression.getText(source)}`]
    return literal.properties.flatMap((one) =>
      ts.isSpreadAssignment(one) ? fieldsOf(one.expression) : [one.name.getText(source)],
    )
  }
  const membersOf = (one: ts.InterfaceDeclaration): string[] => [
    ...one.members.map(({ name }) => name?.getText(source) ?? ''),
    ...(one.heritageClauses ?? []).flatMap(({ types }) =>
      types.flatMap((type) => {
        const parent = interfaces.get(type.getText(source))
        return parent === undefined ? [`...${type.getText(source)}`] : membersOf(parent)
      }),
    ),
  ]
  const declared = new Set(structs.map((fields) => joined(fieldsOf(fields))))
  return [...interfaces.values()]
    .filter((one) => one.typeParameters === undefined && one.members.length > 0 && declared.has(joined(membersOf(one))))
    .map(({ name }) => `${path}: ${name.text}`)
}

async function sources(): Promise<string[]> {
  const files = await readdir('src', { recursive: true, withFileTypes: true })
  return files.filter((one) => one.isFile() && /\.tsx?$/.test(one.name)).map((one) => join(one.parentPath, one.name))
}

it('no interface repeats a struct', async () => {
  const found: string[] = []
  for (const path of await sources()) found.push(...duplicatesOf(path, await readFile(path, 'utf8')))
  expect(found).toEqual([])
})

it('an interface that repeats a struct is detected, even if fields come from a constant or a parent', () => {
  expect(
    duplicatesOf(
      'vote.ts',
      `interface Vote { readonly height: number }
      const vote = struct('Vote', { height: varint })
      interface Signed extends Vote { readonly signature: Uint8Array }
      const fields = { height: varint }
      const signed = struct('Signed', { ...fields, signature: bytes(64) })
      const constant = struct('Constant', fields)
      interface Other extends Vote { readonly view: number }`,
    ),
  ).toEqual(['vote.ts: Vote', 'vote.ts: Signed'])
})

it('unchecked casts occur only in the codec', async () => {
  const found: string[] = []
  for (const path of await sources()) {
    if (!path.startsWith(join('src', 'codec')) && (await readFile(path, 'utf8')).includes('as unknown as'))
      found.push(path)
  }
  expect(found).toEqual([])
})
