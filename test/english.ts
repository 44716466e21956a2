/** Texts of the interface are English unless a test's tree says otherwise. */
import { speakLanguage } from '../site/explorer/messages/languages.ts';

speakLanguage('en');
