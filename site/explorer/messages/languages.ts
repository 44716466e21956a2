/** The languages that the interface has. A new one is its catalogue, its script `page-{language}.ts` and a line here. */
import { en, type Messages } from './en.ts';
import { es } from './es.ts';
import { speak } from './messages.ts';

export const CATALOGUES = { en, es } satisfies Readonly<Record<string, Messages>>;

export type Language = keyof typeof CATALOGUES;

const LANGUAGES = Object.keys(CATALOGUES) as readonly Language[];

/** The interface's language for a BCP 47 tag: `es` for `es-MX`; English if there is no catalogue or no tag. */
export function languageOf(tag: string | null | undefined): Language {
  const primary = tag?.split('-')[0]?.toLowerCase();
  return LANGUAGES.find(language => language === primary) ?? 'en';
}

/** Numbers and dates follow the whole tag: `es-US` has points in its decimals where `es` has commas. */
export function speakLanguage(tag: string | null | undefined): void {
  const language = languageOf(tag);
  const isOwn = tag?.split('-')[0]?.toLowerCase() === language;
  speak(CATALOGUES[language], isOwn ? tag! : language);
}
