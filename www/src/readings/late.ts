// What reads two of the tabs: a file that is loaded when one of them is chosen.
export { ArgumentReading } from './arguments'
export { EditReading } from './edits'
