/** Types of assets/vendor/uplot/uplot.js. */
import uPlot from 'uplot';

export default uPlot;
