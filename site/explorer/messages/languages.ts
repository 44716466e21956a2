/** The languages of the interface. A new one needs a file, the script `page-{language}.ts`, and a line here. */
import * as en from './en.ts';
import * as es from './es.ts';
import { speak } from './messages.ts';

export const CATALOGUES = {
  en: { ...en.written, ...en.said },
  es: { ...es.written, ...es.said },
} satisfies Readonly<Record<string, en.Messages>>;

export type Language = keyof typeof CATALOGUES;

const LANGUAGES = Object.keys(CATALOGUES) as readonly Language[];

/**
 * The interface's language for a BCP 47 tag: `es` for `es-MX`. English if there is no tag or no catalogue.
 */
export function languageOf(tag: string | null | undefined): Language {
  const primary = tag?.split('-')[0]?.toLowerCase();
  return LANGUAGES.find(language => language === primary) ?? 'en';
}

/** Numbers and dates follow the whole tag: `es-US` writes decimal points, `es` commas. */
export function speakLanguage(tag: string | null | undefined): void {
  const language = languageOf(tag);
  const isOwn = tag?.split('-')[0]?.toLowerCase() === language;
  speak(CATALOGUES[language], isOwn ? tag! : language);
}
