/** Clients that generators for Go, Python and Java make of the OpenAPI document: they compile, and read what a node answers. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Gateway } from '../../src/gateway/index.js'
import { needs } from '../support/needs.js'
import { FakeNode, gatewayOf } from '../unit/gateway/support.js'

const execute = promisify(execFile)
/** Compilers print a lot where they fail. */
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024

/** Path of a program; undefined if this machine has none of the name. */
function programOf(name: string): string | undefined {
  const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Options of the tests of a generator, which are skipped by name where one of its tools is missing. */
function needsTools(...names: readonly string[]) {
  const missing = names.filter((name) => programOf(name) === undefined)
  return needs(missing.length === 0 ? undefined : `${missing.join(' and ')} not installed`)
}

/** The program of a stranger in Go; its argument is the URL of a node. */
const GO = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.org/causeway"
)

func main() {
	json := func(_ context.Context, r *http.Request) error { r.Header.Set("Accept", "application/json"); return nil }
	client, err := causeway.NewClientWithResponses(os.Args[1], causeway.WithRequestEditorFn(json))
	if err != nil {
		panic(err)
	}
	node, err := client.StatusWithResponse(context.Background())
	if err != nil {
		panic(err)
	}
	consensus, err := client.ConsensusStatusWithResponse(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(node.JSON200.Blocks, consensus.JSON200.Height)
}
`

/** The same in Python, which loads every call first and says how many there are. */
const PYTHON = `import importlib, pkgutil, sys
import causeway_client.api as api
from causeway_client import Client

calls = 0
for found in pkgutil.walk_packages(api.__path__, api.__name__ + "."):
    calls += hasattr(importlib.import_module(found.name), "sync_detailed")
client = Client(base_url=sys.argv[1], headers={"Accept": "application/json"}, raise_on_unexpected_status=True)
from causeway_client.api.core import consensus_status, status
print(calls, status.sync(client=client).blocks, consensus_status.sync(client=client).height)
`

let gateway: Gateway
let url: string
let root: string
/** Operations of the document. */
let operations: number
beforeAll(async () => {
  gateway = gatewayOf(new FakeNode(), { telemetryProfile: 'full' })
  url = (await gateway.listen()).url
  root = await mkdtemp(join(tmpdir(), 'causeway-clients-'))
  const document = await (await fetch(`${url}/openapi.json`)).text()
  await writeFile(join(root, 'openapi.json'), document)
  const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, unknown>> }
  operations = Object.values(paths).flatMap((path) => Object.keys(path)).length
})
afterAll(async () => {
  await gateway.close()
  await rm(root, { recursive: true, force: true })
})

/** Standard output of a program in a folder below the root. */
async function run(program: string, words: readonly string[], folder: string): Promise<string> {
  const options = { cwd: join(root, folder), env: process.env, maxBuffer: OUTPUT_MAX_BYTES }
  return (await execute(program, [...words], options)).stdout.trim()
}

describe('a client of oapi-codegen', needsTools('go', 'oapi-codegen'), () => {
  it('compiles, and reads records that are binary unless JSON is requested', async () => {
    await mkdir(join(root, 'go', 'cmd'), { recursive: true })
    await writeFile(join(root, 'go', 'cmd', 'main.go'), GO)
    const words = ['-generate', 'types,client', '-package', 'causeway', '-o', 'client.go', '../openapi.json']
    await run('oapi-codegen', words, 'go')
    await run('go', ['mod', 'init', 'example.org/causeway'], 'go')
    await run('go', ['mod', 'tidy'], 'go')
    expect(await run('go', ['run', './cmd', url], 'go')).toBe('7 7')
    const calls = (await readFile(join(root, 'go', 'client.go'), 'utf8')).match(/^func New\w+Request\(/gm)
    expect(calls).toHaveLength(operations)
  })
})

describe('a client of openapi-python-client', needsTools('openapi-python-client'), () => {
  it('loads every call, and reads records that are binary unless JSON is requested', async () => {
    await run('openapi-python-client', ['generate', '--path', 'openapi.json', '--output-path', 'python'], '.')
    await writeFile(join(root, 'python', 'program.py'), PYTHON)
    // The interpreter of the generator has what its clients import.
    const generator = await readFile(programOf('openapi-python-client') ?? '', 'utf8')
    const interpreter = /^#!(\S+)/.exec(generator)?.[1] ?? 'python3'
    expect(await run(interpreter, ['program.py', url], 'python')).toBe(`${operations} 7 7`)
  })
})

describe('a client of openapi-generator for Java', needsTools('openapi-generator-cli', 'mvn', 'javac'), () => {
  it('compiles', async () => {
    const words = ['generate', '-i', 'openapi.json', '-g', 'java', '--library', 'native', '-o', 'java']
    await run('openapi-generator-cli', words, '.')
    await run('mvn', ['-q', '-DskipTests', 'compile'], 'java')
    const api = join(root, 'java', 'src/main/java/org/openapitools/client/api/CoreApi.java')
    expect(await readFile(api, 'utf8')).toContain('"Accept", "application/json, application/x-codec"')
  })
})
