// The language of the page, for every part of it.
import { type Context, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Speech, toSpeech } from './locale.ts'

export const SpeechContext: Context<Speech> = createContext(toSpeech('es'))

export function useSpeech(): Speech {
  return useContext(SpeechContext)
}
