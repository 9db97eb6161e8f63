// The licences of the packages in a bundle: they ask that their texts go with every copy.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-]|$)/i

/** The folder of the package that a module belongs to; undefined for a module of ours. */
function packageOf(id) {
  const [path] = id.replace(/^\0/, '').split('?')
  return path.match(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]
}

/** What a package names as its licence when it comes without the text. */
const MIT = (author) => `MIT License

Copyright (c) ${author}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`

/** Name, version and the texts of the licence of the package in a folder. */
function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
  if (files.length === 0 && license !== 'MIT') throw new Error(`${name} is bundled and comes without its licence`)
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (files.length === 0) texts.push(MIT(author?.name ?? author ?? `the authors of ${name}`))
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}

/** Notices of all packages that these modules belong to, sorted. */
export function noticesOf(ids) {
  const folders = new Set(ids.map(packageOf).filter((folder) => folder !== undefined))
  const notices = [...new Set([...folders].map(noticeOf))].sort()
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  return `${['This folder contains code of the following packages.', ...notices].join(rule)}\n`
}
