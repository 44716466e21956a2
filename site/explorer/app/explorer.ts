/** What every page of the explorer runs first: a small script that loads the rest when it is needed. */
import '../style/explorer.css';
import '../style/icon.svg?no-inline';

document.documentElement.dataset['script'] = 'on';
