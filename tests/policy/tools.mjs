// The tools that the questions call.
const of = (properties, required = []) => ({ type: 'object', properties, required })
const string = { type: 'string' }

export const TOOLS = [
  { name: 'run', description: 'Runs a command', inputSchema: of({ command: string, list: { type: 'array', items: string }, count: { type: 'integer' } }) },
  { name: 'write_file', description: 'Writes a file', inputSchema: of({ path: string, content: string }, ['path', 'content']) },
  { name: 'apply tags to it', description: 'A name with spaces', inputSchema: of({ command: string }) },
  { name: 'now', description: 'The time', inputSchema: of({}) },
]
