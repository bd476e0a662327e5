// The arguments of a tool that are written as XML.
//
//     <arg name="path">a.py</arg>                       path: 'a.py'
//     <path>a.py</path>                                 the same, as it was written once
//     <arg name="l"><item>1</item><item>2</item></arg>  l: ['1', '2']
//     <arg name="o"><arg name="k">v</arg></arg>         o: { k: 'v' }
//     <arg name="c"><b>1 &lt; 2</b></arg>               c: '<b>1 &lt; 2</b>'
//
// Where there is `<arguments>`, only its inside counts; it may be JSON. Texts are
// trimmed and their references decoded; CDATA is taken as it is. Elements other than
// `<arg>` and `<item>` make structure only where a schema says so: else a value
// that has some is the text exactly as it is written.
//
// Source: spec/segment.md, "Arguments"; spec/world.md, 7.5; AutoByteus 1.4.4's
// `parse_xml_arguments`. Differences: text next to elements isn't lost, markup in a
// value is text and takes no other argument with it, and arguments that are not
// closed are an error.

import { type ReadArguments, readArguments } from '../json/call-arguments.js'
import { type WrittenField, writtenArguments } from '../schema/written-fitter.js'
import { CallFault } from './call-fault.js'
import { elementTree } from './elements.js'
import type { JsonSchema } from './types.js'

/** How JSON begins, in CDATA or not. */
const JSON_BEGINS = /^\s*(?:<!\[CDATA\[\s*)?[[{]/i

/**
 * The arguments in a text, typed where a schema is known. `repeats`: those that come again are lists without a schema
 * too.
 */
export function xmlArguments(
  text: string,
  schema: JsonSchema | undefined,
  isCut: boolean,
  repeats: boolean,
): ReadArguments | CallFault {
  const root = elementTree(text)
  const wrappers = root.children.filter((child) => child.kind === 'arguments')
  const [wrapper] = wrappers
  if (wrapper !== undefined && wrappers.length === 1 && JSON_BEGINS.test(wrapper.raw)) {
    // What looks like markup in a JSON string isn't; whoever wrote CDATA or references around it meant the characters.
    for (const text of [wrapper.raw, wrapper.inside(false)]) {
      const read = readArguments(text)
      if ('input' in read) return read
    }
    return readArguments(wrapper.inside(true))
  }
  const places = wrappers.length > 0 ? wrappers : [root]
  const fault = root.faultOf(isCut)
  if (fault !== undefined) return fault
  const unclosed = places.find((place) => place.unclosed !== undefined)?.unclosed
  if (unclosed !== undefined) return new CallFault('bad-arguments', `<${unclosed}> is not closed in the arguments`)
  if (places.includes(root) && root.isCut)
    return new CallFault('bad-arguments', 'the arguments end in the middle of a tag')
  const fields = places.flatMap((place) => place.children)
  if (fields.some(({ name }) => name === '')) return new CallFault('bad-arguments', 'an argument has no name')
  if (fields.length === 0 && places.some((place) => place.raw.trim() !== ''))
    return new CallFault('bad-arguments', 'the text has no arguments in it')
  return { input: writtenArguments(fields, schema, repeats), rules: 0 }
}

/** Arguments without the tool around them, as `otherArguments` returns them. */
export function xmlFields(text: string, isCut: boolean): readonly WrittenField[] | CallFault {
  const root = elementTree(text)
  const { children, unclosed } = root
  const fault = root.faultOf(isCut)
  if (fault !== undefined) return fault
  if (unclosed !== undefined) return new CallFault('bad-arguments', `<${unclosed}> is not closed in the arguments`)
  return children.some(({ name }) => name === '') ? new CallFault('bad-arguments', 'an argument has no name') : children
}
